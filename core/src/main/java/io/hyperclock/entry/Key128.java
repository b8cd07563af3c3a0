/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A 128-bit cache key made from a string or from bytes by a hash (MurmurHash3, x64, 128 bits).
 *
 * <pre>{@code
 * Key128 key = Key128.of("profile:4711");
 * byte[] profile = cache.get(key.hi(), key.lo());
 * }</pre>
 *
 * <p><b>Probabilistic:</b> two different inputs get the same key with probability 2<sup>-128</sup>
 * per pair, about 10<sup>-21</sup> for any pair among 10<sup>9</sup> inputs that were not chosen to
 * collide. The hash is not cryptographic: where inputs come from an adversary, derive the key from
 * a secret prefix. Unpaired surrogates in strings all count as {@code '?'}.
 *
 * <p>Keys of blocks of files are made by {@link FileKey}.
 *
 * @param hi high word
 * @param lo low word
 */
public record Key128(long hi, long lo) {
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;

  /** Written out: what the JDK makes of a record may keep this class and its loader for ever. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key128 key && hi == key.hi && lo == key.lo;
  }

  /**
   * Key of a string, by its UTF-8 bytes.
   *
   * @param name any string
   * @return its key, the same in every process
   */
  public static Key128 of(String name) {
    return of(
        Objects.requireNonNull(name, "name must not be null").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Key of bytes.
   *
   * @param bytes any bytes, not kept
   * @return their key, the same in every process
   */
  public static Key128 of(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes must not be null");
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long h1 = 0;
    long h2 = 0;
    while (in.remaining() >= 16) {
      h1 ^= mixFirst(in.getLong());
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
      h2 ^= mixSecond(in.getLong());
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    byte[] tail = new byte[16];
    in.get(tail, 0, in.remaining());
    ByteBuffer last = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
    h1 ^= mixFirst(last.getLong()) ^ bytes.length;
    h2 ^= mixSecond(last.getLong()) ^ bytes.length;
    h1 += h2;
    h2 += h1;
    h1 = avalanche(h1);
    h2 = avalanche(h2);
    h1 += h2;
    h2 += h1;
    return new Key128(h1, h2);
  }

  private static long mixFirst(long k) {
    return Long.rotateLeft(k * C1, 31) * C2;
  }

  private static long mixSecond(long k) {
    return Long.rotateLeft(k * C2, 33) * C1;
  }

  private static long avalanche(long h) {
    h ^= h >>> 33;
    h *= 0xff51afd7ed558ccdL;
    h ^= h >>> 33;
    h *= 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }
}
