/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to look for in a tier.
 *
 * @param keyHi high word of the key
 * @param keyLo low word of the key
 * @param type type of the value, with a codec
 * @param context handed to {@link EntryCodec#decode}, such as a schema or an allocator
 * @param adviseErase whether the tier should forget a value that it gives, because it moves up
 * @param <V> type of the value
 */
public record TierRequest<V>(
    long keyHi,
    long keyLo,
    EntryType<? extends V> type,
    @Nullable Object context,
    boolean adviseErase) {

  /**
   * Checks the type.
   *
   * @throws IllegalArgumentException if the type has no codec
   */
  public TierRequest {
    Objects.requireNonNull(type, "type must not be null");
    if (type.codec() == null) {
      throw new IllegalArgumentException("type must have a codec: type=" + type.name());
    }
  }

  /**
   * A request without context that leaves the value where it is.
   *
   * @param type type of the value, with a codec
   * @param <V> type of the value
   * @return a new request
   */
  public static <V> TierRequest<V> of(long keyHi, long keyLo, EntryType<? extends V> type) {
    return new TierRequest<>(keyHi, keyLo, type, null, false);
  }
}
