/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a record whose bytes were read wrong once. */
class RecordReaderTest {
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();

  /** So that the other thread sees each step of it. */
  private static final int TIMES = 5_000_000;

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private volatile boolean spoils;

  private DiskSecondaryCache open() {
    return DiskSecondaryCache.builder()
        .device(spoiling(FileDevice.open(directory)))
        .capacityBytes(4 << 16)
        .regionBytes(1 << 16)
        .stallLimit(TierTestLimits.TIME)
        .build();
  }

  /** Turns over what it reads, if told. */
  private Device spoiling(Device under) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(under, arguments);
              if (spoils && method.getName().equals("read")) {
                ByteBuffer target = (ByteBuffer) arguments[0];
                target.put(0, (byte) ~target.get(0));
              }
              return result;
            });
  }

  private static TierResult<byte[]> find(DiskSecondaryCache tier) {
    return tier.lookupNow(TierRequest.of(1, 2, TYPE));
  }

  @Test
  void aRecordIsAbsentOnlyWhenItIsForgotten() throws Exception {
    try (DiskSecondaryCache tier = open()) {
      assertThat(tier.insert(1, 2, new byte[100], TYPE, true)).isTrue();
    }
    writers.awaitEnd();
    try (DiskSecondaryCache tier = open()) {
      spoils = true;
      tier.log.lock.lock();
      TierOutcome outcome;
      try {
        outcome =
            CompletableFuture.supplyAsync(() -> find(tier).outcome())
                .get(TierTestLimits.SECONDS, SECONDS);
      } finally {
        tier.log.lock.unlock();
      }
      assertThat(outcome).as("is still in the index").isEqualTo(TierOutcome.UNAVAILABLE);
      spoils = false;
      assertThat(find(tier).isHit()).isTrue();
      spoils = true;
      // Not at once if the thread that writes holds the lock: then at the next lookup.
      await()
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(() -> find(tier).outcome() == TierOutcome.ABSENT);
      spoils = false;
      assertThat(find(tier).outcome()).as("is forgotten").isEqualTo(TierOutcome.ABSENT);
    }
  }

  /** As another key's, of the same fingerprint, whose window begins before. */
  @Test
  void aRecordIsNotAbsentWhileOneLikeItComesAndGoes() throws Exception {
    try (DiskSecondaryCache tier = open()) {
      assertThat(tier.insert(1, 2, new byte[100], TYPE, true)).isTrue();
      SlotIndex index = tier.log.index;
      long hash = index.hash(1, 2);
      int at = index.first(hash);
      index.load(at + 1, index.get(at));
      long alike = tier.log.layout.slot(hash, 3, 0, SlotLayout.UNIT);
      CompletableFuture<Void> coming =
          CompletableFuture.runAsync(
              () -> {
                for (int time = 0; time < TIMES; time++) {
                  index.load(at, alike);
                  index.load(at, 0);
                }
              });
      int absent = 0;
      while (!coming.isDone()) {
        absent += tier.mayHold(1, 2) ? 0 : 1;
      }
      coming.get(TierTestLimits.SECONDS, SECONDS);
      assertThat(absent).isZero();
      assertThat(find(tier).isHit()).isTrue();
    }
  }
}
