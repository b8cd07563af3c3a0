/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.cassandra;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.cassandra.cache.RowCacheKey;
import org.apache.cassandra.schema.TableId;

/**
 * Partition keys of the same 128 bits, as a client can choose them: MurmurHash3 can be run
 * backwards, so a second block of 16 bytes undoes what another first block does.
 */
final class Collisions {
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final long FIFTH = inverse(5);

  private Collisions() {}

  static RowCacheKey[] pair(TableId table) {
    byte[] head = RowKey.of(new RowCacheKey(table, null, new byte[64])).bytes();
    // The first block that has only bytes of the partition key.
    int begin = (head.length - 64 + 15) / 16 * 16;
    long[] state = new long[2];
    ByteBuffer in = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    while (in.position() < begin) {
      step(state, in.getLong(), in.getLong());
    }
    long[] target = state.clone();
    step(target, in.getLong(), in.getLong());
    step(target, in.getLong(), in.getLong());

    step(state, 42, 43);
    long m1 = state[0] ^ Long.rotateRight((target[0] - 0x52dce729) * FIFTH - state[1], 27);
    long m2 = state[1] ^ Long.rotateRight((target[1] - 0x38495ab5) * FIFTH - target[0], 31);
    byte[] other = head.clone();
    ByteBuffer.wrap(other)
        .order(ByteOrder.LITTLE_ENDIAN)
        .position(begin)
        .putLong(42)
        .putLong(43)
        .putLong(Long.rotateRight(m1 * inverse(C2), 31) * inverse(C1))
        .putLong(Long.rotateRight(m2 * inverse(C1), 33) * inverse(C2));
    return new RowCacheKey[] {
      new RowCacheKey(table, null, new byte[64]),
      new RowCacheKey(table, null, Arrays.copyOfRange(other, head.length - 64, head.length))
    };
  }

  private static void step(long[] h, long k1, long k2) {
    h[0] ^= Long.rotateLeft(k1 * C1, 31) * C2;
    h[0] = (Long.rotateLeft(h[0], 27) + h[1]) * 5 + 0x52dce729;
    h[1] ^= Long.rotateLeft(k2 * C2, 33) * C1;
    h[1] = (Long.rotateLeft(h[1], 31) + h[0]) * 5 + 0x38495ab5;
  }

  /** Of an odd number, modulo 2 to the 64. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 6; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
