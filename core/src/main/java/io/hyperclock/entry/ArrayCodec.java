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
 * <pre>{@code
 * EntryType<byte[]> type = EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();
 * // An ArrayCodec of your own whose values wrap an array has one method more:
 * //   public Page decodeArray(byte[] encoded, Object context) { return new Page(encoded); }
 * }</pre>
 *
 * @param <T> type of the values
 */
public interface ArrayCodec<T> extends EntryCodec<T> {
  /**
   * Makes a new value of encoded bytes. Means the same as {@link #decode} of all of them.
   *
   * @param encoded exactly the encoded bytes; no other code has the array, so the value may keep it
   * @param context what the reader handed to the lookup
   * @return a new value, owned by the caller
   */
  T decodeArray(byte[] encoded, @Nullable Object context);
}
