/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.Compressor;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import io.hyperclock.secondary.disk.promises.FaultDevice.Call;
import io.hyperclock.secondary.disk.promises.FaultDevice.Fault;
import io.hyperclock.secondary.disk.promises.FaultDevice.Verdict;
import io.hyperclock.secondary.testing.RunLengthCompressor;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.ThreadShortage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P5: without memory or threads a lookup is a miss, and what it was counted with is given back. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class OutOfMemoryTest {
  private static final int KEYS = 8;
  private static final int VALUE = 500;

  private final MemoryDevice memory = MemoryDevice.forgetful();
  private final FaultDevice device = new FaultDevice(memory, Fault.NONE);
  private DiskSecondaryCache tier;

  @AfterEach
  void close() {
    if (tier != null) {
      tier.close();
    }
  }

  /** All values on the device. */
  private void openWarm(DiskSecondaryCacheBuilder builder) {
    try (DiskSecondaryCache filled = builder.build()) {
      for (int key = 0; key < KEYS; key++) {
        byte[] zeros = new byte[VALUE];
        assertThat(filled.insert(Rig.hi(key), key, zeros, TestValues.BYTES, true)).isTrue();
      }
    }
    memory.reopened();
    tier = builder.readThreads(1).build();
  }

  /** More than one lookup at a time is too much. */
  private DiskSecondaryCacheBuilder narrow() {
    return Rig.builder().device(device).maxPendingReadBytes(1);
  }

  private TierOutcome outcome(int key) {
    try {
      return Rig.find(tier, key).outcome();
    } catch (OutOfMemoryError e) {
      throw new AssertionError("a lookup must not throw", e);
    }
  }

  private void assertUsable() {
    for (int key = 0; key < KEYS; key++) {
      assertThat(outcome(key)).isEqualTo(TierOutcome.HIT);
    }
    assertThat(tier.diskStats().busy()).isZero();
  }

  @Test
  void valueThatFindsNoMemoryIsAMiss() {
    NarrowCompressor compressor = new NarrowCompressor();
    openWarm(narrow().compressor(compressor));
    compressor.hasMemory = false;
    assertThat(outcome(1)).isEqualTo(TierOutcome.UNAVAILABLE);
    assertThat(outcome(2)).isEqualTo(TierOutcome.UNAVAILABLE);
    compressor.hasMemory = true;
    assertUsable();
  }

  @Test
  void valueThatFindsNoMemoryToBeDecompressedIsAMiss() {
    NarrowCompressor compressor = new NarrowCompressor();
    openWarm(narrow().compressor(compressor));
    compressor.canDecompress = false;
    assertThat(outcome(1)).isEqualTo(TierOutcome.UNAVAILABLE);
    assertThat(outcome(2)).isEqualTo(TierOutcome.UNAVAILABLE);
    compressor.canDecompress = true;
    assertUsable();
  }

  @Test
  void valueForWhichAPoolHasNoRoomIsAMiss() {
    BufferPool pool = BufferPool.ofBytes(1 << 10);
    TierRequest<PooledBuffer> request = TierRequest.of(1, 1, pool.entryType("pooled"));
    tier = narrow().build();
    PooledBuffer only = pool.take(VALUE);
    assertThat(tier.insert(1, 1, only, pool.entryType("pooled"), true)).isTrue();
    assertThat(tier.lookupNow(request).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    pool.give(only);
    assertThat(tier.lookupNow(request).outcome()).isEqualTo(TierOutcome.HIT);
  }

  @Test
  void lookupThatFindsNoThreadToReadIsAMiss() {
    assertMissesWithoutThreadsOf(Thread.currentThread().getName());
  }

  @Test
  void lookupThatFindsNoThreadToDecodeIsAMiss() {
    assertMissesWithoutThreadsOf("-reader-");
  }

  private void assertMissesWithoutThreadsOf(String makers) {
    try (ThreadShortage shortage = ThreadShortage.open()) {
      openWarm(narrow());
      shortage.begin(makers);
      assertThat(outcome(1)).isEqualTo(TierOutcome.UNAVAILABLE);
      assertThat(outcome(2)).isEqualTo(TierOutcome.UNAVAILABLE);
      shortage.end();
      assertUsable();
    }
  }

  /** What cannot be read together is read one by one. */
  @Test
  void readsThatFindNoMemoryAreSmaller() {
    openWarm(Rig.builder().device(device));
    AtomicInteger reads = new AtomicInteger();
    device.set(
        (call, number) -> {
          if (call == Call.READ && reads.getAndIncrement() == 0) {
            throw new OutOfMemoryError("on purpose");
          }
          return Verdict.PASS;
        });
    List<TierRequest<byte[]>> requests = IntStream.range(0, KEYS).mapToObj(Rig::request).toList();
    for (CompletableFuture<TierResult<byte[]>> future : tier.lookupAll(requests)) {
      assertThat(Rig.await(future).outcome()).isEqualTo(TierOutcome.HIT);
    }
    assertThat(reads).hasValue(1 + KEYS);
  }

  /** Where memory is short while values are restored. */
  private static final class NarrowCompressor implements Compressor {
    private final RunLengthCompressor under = new RunLengthCompressor();
    private volatile boolean hasMemory = true;
    private volatile boolean canDecompress = true;

    @Override
    public int id() {
      if (!hasMemory) {
        throw new OutOfMemoryError("on purpose");
      }
      return under.id();
    }

    @Override
    public String name() {
      return under.name();
    }

    @Override
    public int maxCompressedLength(int rawBytes) {
      return under.maxCompressedLength(rawBytes);
    }

    @Override
    public int compress(byte[] raw, int rawOffset, int rawBytes, byte[] target) {
      return under.compress(raw, rawOffset, rawBytes, target);
    }

    @Override
    public int decompress(
        byte[] packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
      if (!canDecompress) {
        throw new OutOfMemoryError("on purpose");
      }
      return under.decompress(packed, packedOffset, packedBytes, target, rawBytes);
    }
  }
}
