/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.secondary.disk.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A disk that fails, is slow, moves a part of the bytes, and turns bits over. */
final class FlakyDevice implements Device {
  private static final long DEAD_NANOS = 100_000_000;

  private final Device under;
  private final Mishaps mishaps;
  private volatile long deadUntil = System.nanoTime();

  FlakyDevice(Device under, Mishaps mishaps) {
    this.under = under;
    this.mishaps = mishaps;
  }

  private SplittableRandom before(String call) throws IOException {
    SplittableRandom random = mishaps.random();
    if (mishaps.strikes(random, 5000)) {
      deadUntil = System.nanoTime() + random.nextLong(DEAD_NANOS);
    }
    if (mishaps.on() && deadUntil - System.nanoTime() > 0 || mishaps.strikes(random, 300)) {
      throw new Mishaps.MishapException(call);
    }
    mishaps.throwOneIn(2000, random, call);
    mishaps.delayOneIn(500, random);
    return random;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    SplittableRandom random = before("read");
    int start = target.position();
    int count = some(target, random, () -> under.read(target, position));
    if (count > 0 && mishaps.strikes(random, 200)) {
      int spoilt = start + random.nextInt(count);
      target.put(spoilt, (byte) (target.get(spoilt) ^ 1 << random.nextInt(8)));
    }
    return count;
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return some(source, before("write"), () -> under.write(source, position));
  }

  private interface Transfer {
    int run() throws IOException;
  }

  /** Moves bytes, now and then only half of them. */
  private int some(ByteBuffer buffer, SplittableRandom random, Transfer transfer)
      throws IOException {
    int limit = buffer.limit();
    if (buffer.remaining() > 1 && mishaps.strikes(random, 100)) {
      buffer.limit(buffer.position() + buffer.remaining() / 2);
    }
    try {
      return transfer.run();
    } finally {
      buffer.limit(limit);
    }
  }

  @Override
  public void force() throws IOException {
    before("force");
    under.force();
  }

  @Override
  public long size() throws IOException {
    before("size");
    return under.size();
  }

  @Override
  public void truncate(long bytes) throws IOException {
    before("truncate");
    under.truncate(bytes);
  }

  @Override
  public byte @Nullable [] readSnapshot() throws IOException {
    before("readSnapshot");
    return under.readSnapshot();
  }

  @Override
  public void writeSnapshot(byte[] bytes) throws IOException {
    before("writeSnapshot");
    under.writeSnapshot(bytes);
  }

  @Override
  public void deleteSnapshot() throws IOException {
    before("deleteSnapshot");
    under.deleteSnapshot();
  }

  @Override
  public void close() throws IOException {
    under.close();
  }
}
