/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.TestValues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything at once: inserts, advised and plain lookups, erases, capacities that come and go,
 * damaged records, codecs that fail. {@code -Dhyperclock.soak.steps} for more.
 */
class CompressedSoakTest {
  private static final long CAPACITY = 1 << 20;
  private static final int THREADS = 4;
  private static final int KEYS_PER_THREAD = 256;
  private static final int STEPS = Integer.getInteger("hyperclock.soak.steps", 10_000);

  private static final EntryType<byte[]> DAMAGED = EntryType.of("damaged");

  private final AtomicIntegerArray oldestAllowed =
      new AtomicIntegerArray(THREADS * KEYS_PER_THREAD);
  private final LongAdder lookups = new LongAdder();
  private final LongAdder inserts = new LongAdder();
  private final LongAdder decoded = new LongAdder();
  private final LongAdder received = new LongAdder();

  /** Fails now and then, both ways. */
  private final EntryType<byte[]> type =
      EntryType.<byte[]>named("moody")
          .codec(
              new EntryCodec<byte[]>() {
                @Override
                public int encodedSizeBytes(byte[] value) {
                  return value.length;
                }

                @Override
                public void encode(byte[] value, ByteBuffer target) {
                  failNowAndThen();
                  target.put(value);
                }

                @Override
                public byte[] decode(ByteBuffer source, @Nullable Object context) {
                  failNowAndThen();
                  byte[] value = new byte[source.remaining()];
                  source.get(value);
                  decoded.increment();
                  return value;
                }

                @Override
                public long chargeBytes(byte[] value) {
                  return value.length;
                }
              })
          .build();

  private static void failNowAndThen() {
    if (ThreadLocalRandom.current().nextInt(200) == 0) {
      throw new IllegalStateException("fails on purpose");
    }
  }

  @ParameterizedTest
  @EnumSource
  void givesNoWrongValue(Compression compression) throws Exception {
    long seed = System.nanoTime();
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try (CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder()
            .capacityBytes(CAPACITY)
            .estimatedEntryCharge(1 << 10)
            .compression(compression)
            .build()) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int owner = thread;
        Random random = new Random(seed + thread);
        all.add(
            executor.submit(
                () -> {
                  for (int version = 1; version <= STEPS; version++) {
                    step(tier, owner, version, random);
                  }
                }));
      }
      for (Future<?> future : all) {
        future.get(24, HOURS);
      }
      tier.setCapacity(CAPACITY);
      assertAddsUp(tier, "seed=" + seed);
    } finally {
      executor.shutdownNow();
    }
  }

  private void step(CompressedSecondaryCache tier, int owner, int version, Random random) {
    if (random.nextInt(64) == 0) {
      disturb(tier, random);
    }
    int own = owner * KEYS_PER_THREAD + random.nextInt(KEYS_PER_THREAD);
    switch (random.nextInt(8)) {
      case 0 -> {
        tier.erase(3, own);
        oldestAllowed.set(own, version);
      }
      case 1, 2, 3 -> {
        byte[] value = TestValues.value(own, version, 12 + random.nextInt(4 << 10));
        tier.insert(3, own, value, type, random.nextInt(3) > 0);
        inserts.increment();
        oldestAllowed.set(own, version);
      }
      default -> {
        int key = random.nextInt(THREADS * KEYS_PER_THREAD);
        int oldest = oldestAllowed.get(key);
        boolean advise = random.nextInt(8) == 0;
        TierResult<byte[]> result =
            tier.lookup(new TierRequest<byte[]>(3, key, type, null, advise)).getNow(null);
        lookups.increment();
        if (result.isHit()) {
          received.increment();
          assertThat(TestValues.versionOf(key, result.value())).isGreaterThanOrEqualTo(oldest);
          assertThat(result.kept()).isEqualTo(!advise);
        }
      }
    }
  }

  private static void disturb(CompressedSecondaryCache tier, Random random) {
    switch (random.nextInt(32)) {
      case 0 -> tier.setCapacity(random.nextInt(4) * CAPACITY / 2);
      case 1 -> {
        long bytes = (long) (random.nextDouble() * CAPACITY);
        tier.deflate(bytes);
        tier.inflate(bytes);
      }
      case 2 -> assertThat(tier.stats().usageBytes()).isLessThanOrEqualTo(2 * CAPACITY);
      default -> damage(tier, random.nextInt(THREADS * KEYS_PER_THREAD), random);
    }
  }

  /** Replaces a record by a damaged copy, which is as if it had been damaged where it is. */
  private static void damage(CompressedSecondaryCache tier, int key, Random random) {
    CompressedStore store = tier.store;
    byte[] record = store == null ? null : store.get(3, key);
    if (record != null) {
      byte[] damaged = record.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      store.put(3, key, damaged, DAMAGED);
    }
  }

  private void assertAddsUp(CompressedSecondaryCache tier, String seed) {
    TierStats stats = tier.stats();
    assertThat(stats.accepted() + stats.declined()).as(seed).isEqualTo(inserts.sum());
    assertThat(stats.count(TierOutcome.HIT)).as(seed).isEqualTo(received.sum()).isPositive();
    assertThat(stats.misses()).as(seed).isEqualTo(lookups.sum() - received.sum());
    assertThat(decoded.sum()).as(seed).isEqualTo(received.sum());
    assertThat(stats.count(TierOutcome.CORRUPT)).as(seed).isPositive();
    assertThat(stats.count(TierOutcome.UNDECODABLE)).as(seed).isPositive();
    assertThat(stats.usageBytes()).as(seed).isLessThanOrEqualTo(CAPACITY);
    for (int key = 0; key < THREADS * KEYS_PER_THREAD; key++) {
      tier.erase(3, key);
    }
    assertThat(tier.stats().entries()).as(seed).isZero();
    assertThat(tier.stats().usageBytes()).as(seed).isEqualTo(tier.store.tableBytes());
  }
}
