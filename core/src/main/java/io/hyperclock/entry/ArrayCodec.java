/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import org.jspecify.annotations.Nullable;

/**
 * A codec that can make a value around an array instead of copying it: a tier decompresses into an
 * array that is the value's from then on, and a copy is saved. The one of {@link
 * EntryCodec#ofBytes} is such a codec.
 *
 * @param <T> type of the values
 */
public interface ArrayCodec<T> extends EntryCodec<T> {
  /**
   * Makes a new value of encoded bytes. Means the same as {@link #decode} of all of them.
   *
   * @param encoded exactly the encoded bytes; nobody else has the array, the value may keep it
   * @param context what the reader handed to the lookup
   * @return a new value, owned by the caller
   */
  T decodeArray(byte[] encoded, @Nullable Object context);
}
