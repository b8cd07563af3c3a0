/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Turns values of one type into bytes and back, so that they can move to lower tiers. A type
 * without a codec never leaves the primary cache.
 *
 * <pre>{@code
 * EntryType<byte[]> blocks =
 *     EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();
 * }</pre>
 *
 * <p>Implementations must be thread-safe and must not keep a reference to a buffer they are given.
 *
 * @param <T> type of the values
 */
public interface EntryCodec<T> {
  /**
   * The codec of byte arrays that are stored as they are.
   *
   * @return the same at every call; its charge is the length of the array
   */
  static EntryCodec<byte[]> ofBytes() {
    return BytesCodec.INSTANCE;
  }

  /**
   * Exact number of bytes {@link #encode} will write.
   *
   * @param value a live value
   * @return size in bytes, at least 0
   */
  int encodedSizeBytes(T value);

  /**
   * Writes {@code value} at the position of {@code target} and advances it by exactly {@link
   * #encodedSizeBytes}.
   *
   * @param value a live value
   * @param target buffer with enough room
   */
  void encode(T value, ByteBuffer target);

  /**
   * Makes a new value from the remaining bytes of {@code source}, copying what it needs. One that
   * has no room for the value at the moment throws {@link io.hyperclock.CapacityExceededException},
   * or {@link OutOfMemoryError}: then the tier keeps its record. If it throws anything else, the
   * record is of no use, and the tier forgets it.
   *
   * @param source the encoded bytes, valid during the call only
   * @param context what the reader handed to the lookup, such as a schema or an allocator
   * @return a new value, owned by the caller
   */
  T decode(ByteBuffer source, @Nullable Object context);

  /**
   * Bytes of memory that {@code value} occupies once decoded.
   *
   * @param value a live value
   * @return charge in bytes, at least 0
   */
  long chargeBytes(T value);
}
