/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Where nine bits of a replacement policy (frequency 4, epoch 3, class, duel flag) should live: in
 * the meta word of a slot or in a word of its own outside the slot's cache line. Each operation is
 * a sweep's visit of one slot in a table of 1 Mi slots: slots that are pinned are skipped, others
 * are aged and their countdown lowered. The model of a slot is the real one's size: 32 bytes,
 * aligned.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LayoutBenchmark {
  private static final int SLOTS = 1 << 20;
  private static final int SLOT_WORDS = 4;
  private static final int ALIGN_WORDS = 6;
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final long COUNTDOWN_MASK = 3;
  private static final long PINNED = 1L << 62;
  private static final int POLICY_SHIFT = 48;
  private static final long EPOCH_MASK = 7;
  private static final long FREQUENCY_MASK = 15L << 3;
  private static final int CLASS_SHIFT = 7;
  private static final long POLICY_MASK = 511;

  /** Share of the slots that the sweep finds pinned. */
  @Param({"0", "75"})
  public int pinnedPercent;

  /** Sweeps in an epoch, as a power of two: slots are aged on each visit, or on one in 8. */
  @Param({"0", "3"})
  public int sweepsPerEpochBits;

  private final long[] slots = new long[ALIGN_WORDS + SLOTS * SLOT_WORDS];
  private final long[] cold = new long[SLOTS];
  private int sweeps;

  /** Fills the table. */
  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    for (int slot = 0; slot < SLOTS; slot++) {
      boolean pinned = random.nextInt(100) < pinnedPercent;
      slots[ALIGN_WORDS + slot * SLOT_WORDS] =
          (pinned ? PINNED : 0) | random.nextLong() & COUNTDOWN_MASK;
    }
  }

  @Benchmark
  @OperationsPerInvocation(SLOTS)
  public long inMeta() {
    long epoch = nextEpoch();
    long lowered = 0;
    for (int at = ALIGN_WORDS; at < slots.length; at += SLOT_WORDS) {
      long meta = (long) WORDS.getAcquire(slots, at);
      if ((meta & PINNED) == 0) {
        long policy = aged(meta >>> POLICY_SHIFT & POLICY_MASK, epoch);
        long next = visited(meta, policy) & ~(POLICY_MASK << POLICY_SHIFT) | policy << POLICY_SHIFT;
        lowered += WORDS.compareAndSet(slots, at, meta, next) ? 1 : 0;
      }
    }
    return lowered;
  }

  @Benchmark
  @OperationsPerInvocation(SLOTS)
  public long inColdWordStored() {
    long epoch = nextEpoch();
    long lowered = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      int at = ALIGN_WORDS + slot * SLOT_WORDS;
      long meta = (long) WORDS.getAcquire(slots, at);
      if ((meta & PINNED) == 0) {
        long old = (long) WORDS.getOpaque(cold, slot);
        long policy = aged(old, epoch);
        if (policy != old) {
          WORDS.setOpaque(cold, slot, policy);
        }
        lowered += WORDS.compareAndSet(slots, at, meta, visited(meta, policy)) ? 1 : 0;
      }
    }
    return lowered;
  }

  @Benchmark
  @OperationsPerInvocation(SLOTS)
  public long inColdWordCompared() {
    long epoch = nextEpoch();
    long lowered = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      int at = ALIGN_WORDS + slot * SLOT_WORDS;
      long meta = (long) WORDS.getAcquire(slots, at);
      if ((meta & PINNED) == 0) {
        long old = (long) WORDS.getOpaque(cold, slot);
        long policy = aged(old, epoch);
        if (policy != old) {
          WORDS.compareAndSet(cold, slot, old, policy);
        }
        lowered += WORDS.compareAndSet(slots, at, meta, visited(meta, policy)) ? 1 : 0;
      }
    }
    return lowered;
  }

  private long nextEpoch() {
    return sweeps++ >>> sweepsPerEpochBits & EPOCH_MASK;
  }

  private static long aged(long policy, long epoch) {
    if ((policy & EPOCH_MASK) == epoch) {
      return policy;
    }
    long halved = (policy & FREQUENCY_MASK) >>> 1 & FREQUENCY_MASK;
    return policy & ~(FREQUENCY_MASK | EPOCH_MASK) | halved | epoch;
  }

  /** Lowers the countdown; at zero, instead of an eviction, it starts again. */
  private static long visited(long meta, long policy) {
    boolean end = (meta & COUNTDOWN_MASK) == 0;
    return end ? meta | COUNTDOWN_MASK & ~(policy >>> CLASS_SHIFT) : meta - 1;
  }
}
