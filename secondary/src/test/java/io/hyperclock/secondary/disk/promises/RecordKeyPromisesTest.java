/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import io.hyperclock.secondary.disk.DiskStats;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P11: with a record key, what was written without the secret is a miss. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class RecordKeyPromisesTest {
  private static final int KEYS = 12;
  private static final int VALUE = 700;
  private static final RecordKey KEY = key(1);
  private static final RecordKey OTHER = key(2);
  private static final String FAILED = "authentication.failed";
  private static final String UNKNOWN = "authentication.unknown.key";

  private final MemoryDevice device = MemoryDevice.forgetful();
  private final DiskWriters writers = new DiskWriters();

  private static RecordKey key(int secret) {
    byte[] bytes = new byte[RecordKey.MIN_SECRET_BYTES];
    Arrays.fill(bytes, (byte) secret);
    return RecordKey.hmacSha256(bytes);
  }

  private DiskSecondaryCacheBuilder builder() {
    return Rig.builder().device(device.reopened());
  }

  /** Each key twice, the second is current. */
  private void fill(DiskSecondaryCacheBuilder settings) {
    try (DiskSecondaryCache tier = settings.build()) {
      for (int version = 1; version <= 2; version++) {
        for (int key = 0; key < KEYS; key++) {
          assertThat(Rig.put(tier, key, version, VALUE)).isTrue();
        }
      }
      assertThat(Rig.versionNow(tier, 1)).as("in memory").isEqualTo(2);
    }
    writers.awaitEnd();
  }

  private static long figure(DiskSecondaryCache tier, String name) {
    return tier.metrics().stream()
        .filter(figure -> figure.name().equals(name))
        .mapToLong(TierMetric::value)
        .sum();
  }

  private static int hits(DiskSecondaryCache tier) {
    int hits = 0;
    for (int key = 0; key < KEYS; key++) {
      int version = Rig.versionNow(tier, key);
      assertThat(version).isIn(Rig.NONE, 2);
      hits += version == Rig.NONE ? 0 : 1;
    }
    return hits;
  }

  @Test
  void ownRecordsAreServed() {
    fill(builder().recordKey(KEY));
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertThat(tier.diskStats().start()).isEqualTo("warm");
      assertThat(hits(tier)).isEqualTo(KEYS);
      tier.lookupAll(List.of(Rig.request(1), Rig.request(2)))
          .forEach(it -> assertThat(Rig.await(it).isHit()).isTrue());
      assertThat(figure(tier, FAILED) + figure(tier, UNKNOWN)).isZero();
    }
  }

  @Test
  void nothingIsAddedWithoutAKey() {
    fill(builder());
    int plain = device.data().length;
    try (DiskSecondaryCache tier = builder().build()) {
      assertThat(hits(tier)).isEqualTo(KEYS);
      assertThat(tier.metrics()).noneMatch(it -> it.name().startsWith("authentication"));
    }
    assertThat(DiskForger.records(device, 1, 2)).hasSize(2 * KEYS);
    assertThat(plain).isEqualTo(4096 + 2 * KEYS * ((64 + 9 + VALUE + 63) / 64 * 64));
  }

  /** The forger needs no secret where there is none: without a key it is served. */
  @Test
  void forgedValue() {
    for (boolean signed : new boolean[] {false, true}) {
      MemoryDevice store = MemoryDevice.forgetful();
      DiskSecondaryCacheBuilder settings = Rig.builder().device(store);
      fill(signed ? settings.recordKey(KEY) : settings);
      DiskForger forger = new DiskForger(store, 3, 2);
      forger.setValue(TestValues.value(3, 9, VALUE));
      forger.write();
      settings = Rig.builder().device(store.reopened());
      try (DiskSecondaryCache tier = (signed ? settings.recordKey(KEY) : settings).build()) {
        assertThat(tier.diskStats().start()).isEqualTo("warm");
        if (signed) {
          assertRefused(tier, 3, FAILED);
        } else {
          assertThat(Rig.versionNow(tier, 3)).as("the forgery").isEqualTo(9);
        }
      }
    }
  }

  private static void assertRefused(DiskSecondaryCache tier, int key, String figure) {
    assertThat(figure(tier, figure)).isZero();
    assertThat(tier.lookupNow(Rig.request(key)).outcome()).isEqualTo(TierOutcome.CORRUPT);
    assertThat(figure(tier, figure)).isEqualTo(1);
    awaitForgotten(tier, key);
    assertThat(Rig.put(tier, key, 3, VALUE)).isTrue();
    assertThat(Rig.versionNow(tier, key)).isEqualTo(3);
    assertThat(Rig.versionNow(tier, (key + 1) % KEYS)).as("another key").isEqualTo(2);
  }

  /** Not at once if the thread that writes holds the lock of the log: then at the next lookup. */
  private static void awaitForgotten(DiskSecondaryCache tier, int key) {
    Awaitility.await()
        .atMost(TierTestLimits.TIME)
        .until(() -> Rig.find(tier, key).outcome() == TierOutcome.ABSENT);
  }

  /** The payload of one key, code included, in the record of another. */
  @Test
  void recordMovedToAnotherKey() {
    fill(builder().recordKey(KEY));
    DiskForger forger = new DiskForger(device, 3, 2);
    forger.setPayload(new DiskForger(device, 4, 2).payload());
    forger.write();
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertRefused(tier, 3, FAILED);
    }
  }

  @Test
  void recordOfAnotherStoreWithTheSameSecret() {
    fill(builder().recordKey(KEY));
    MemoryDevice other = MemoryDevice.forgetful();
    fill(Rig.builder().device(other).recordKey(KEY));
    DiskForger forger = new DiskForger(device, 3, 2);
    forger.setPayload(new DiskForger(other, 3, 2).payload());
    forger.write();
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertRefused(tier, 3, FAILED);
    }
  }

  @Test
  void recordWithoutItsCode() {
    for (int cut : new int[] {1, 16, 20, 21, 600}) {
      MemoryDevice store = MemoryDevice.forgetful();
      fill(Rig.builder().device(store).recordKey(KEY));
      DiskForger forger = new DiskForger(store, 3, 2);
      forger.cut(cut);
      forger.write();
      try (DiskSecondaryCache tier =
          Rig.builder().device(store.reopened()).recordKey(KEY).build()) {
        assertRefused(tier, 3, UNKNOWN);
      }
    }
    fill(builder().recordKey(KEY));
    DiskForger forger = new DiskForger(device, 3, 2);
    forger.cutCode();
    forger.write();
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertThat(tier.lookupNow(Rig.request(3)).outcome()).isEqualTo(TierOutcome.CORRUPT);
      assertThat(Rig.versionNow(tier, 4)).isEqualTo(2);
    }
  }

  /** A sound record of the format without codes, where codes must be. */
  @Test
  void recordOfTheFormatWithoutCodes() {
    fill(builder().recordKey(KEY));
    DiskForger forger = new DiskForger(device, 3, 2);
    forger.cutCode();
    forger.setMagic(0x01444348);
    forger.write();
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertThat(tier.lookupNow(Rig.request(3)).outcome())
          .isIn(TierOutcome.ABSENT, TierOutcome.UNAVAILABLE);
      awaitForgotten(tier, 3);
      assertThat(Rig.versionNow(tier, 4)).isEqualTo(2);
    }
  }

  /** A limit, as the documents say: what was genuine once is so for ever. */
  @Test
  void olderRecordOfTheSameKeyIsNotRecognized() {
    fill(builder().recordKey(KEY));
    DiskForger forger = new DiskForger(device, 3, 2);
    forger.setPayload(new DiskForger(device, 3, 1).payload());
    forger.write();
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertThat(Rig.versionNow(tier, 3)).isEqualTo(1);
    }
  }

  @Test
  void lookupOfAnotherType() {
    fill(builder().recordKey(KEY));
    EntryType<byte[]> another =
        EntryType.<byte[]>named("another type")
            .codec(Objects.requireNonNull(TestValues.BYTES.codec()))
            .build();
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertThat(tier.lookupNow(TierRequest.of(Rig.hi(1), 1, another)).outcome())
          .isEqualTo(TierOutcome.CORRUPT);
      assertThat(figure(tier, FAILED)).isEqualTo(1);
      assertThat(Rig.versionNow(tier, 2)).isEqualTo(2);
    }
  }

  /** Somebody without the secret can make no snapshot: whatever is changed, the start is cold. */
  @Test
  void forgedSnapshot() {
    long seed = Plan.seed();
    System.out.println("RecordKeyPromisesTest: -Ddisk.seed=" + seed);
    Random random = new Random(seed);
    fill(builder().recordKey(KEY));
    byte[] data = device.data();
    byte[] genuine = Objects.requireNonNull(device.snapshot());
    for (int round = 0; round < Plan.times(100); round++) {
      ByteBuffer forged = ByteBuffer.wrap(genuine.clone()).order(ByteOrder.LITTLE_ENDIAN);
      int at = round < 60 ? 16 + round : 16 + random.nextInt(genuine.length - 16);
      forged.put(at, (byte) (forged.get(at) ^ 1 << random.nextInt(8)));
      DiskForger.seal(forged, genuine.length - 20);
      try (DiskSecondaryCache tier = open(data, forged.array())) {
        assertThat(tier.diskStats().warmStart()).as("at=%d, -Ddisk.seed=%d", at, seed).isFalse();
        assertThat(hits(tier)).isZero();
      }
    }
    try (DiskSecondaryCache tier = open(data, genuine)) {
      assertThat(hits(tier)).as("as it was").isEqualTo(KEYS);
    }
  }

  private static DiskSecondaryCache open(byte[] data, byte[] snapshot) {
    List<Change> changes = List.of(new Change.Write(0, data), new Change.Snapshot(snapshot));
    return Rig.builder().device(MemoryDevice.after(changes)).recordKey(KEY).build();
  }

  @Test
  void wrongKeyIsAColdStart() {
    fill(builder().recordKey(KEY));
    try (DiskSecondaryCache tier = builder().recordKey(OTHER).build()) {
      assertThat(tier.diskStats().start()).contains("not signed with the record key");
      assertThat(hits(tier)).isZero();
      assertThat(Rig.put(tier, 1, 2, VALUE)).isTrue();
    }
    try (DiskSecondaryCache tier = builder().recordKey(OTHER).build()) {
      assertThat(hits(tier)).isEqualTo(1);
    }
  }

  /** Switched on, and off again: cold each time, then as usual. */
  @Test
  void keyComesAndGoesOverRestarts() {
    fill(builder());
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertThat(tier.diskStats().start()).contains("without a record key");
      assertThat(hits(tier)).isZero();
    }
    fill(builder().recordKey(KEY));
    try (DiskSecondaryCache tier = builder().recordKey(KEY).build()) {
      assertThat(hits(tier)).isEqualTo(KEYS);
    }
    try (DiskSecondaryCache tier = builder().build()) {
      assertThat(tier.diskStats().start()).contains("with a record key");
      assertThat(hits(tier)).isZero();
    }
    fill(builder());
    try (DiskSecondaryCache tier = builder().build()) {
      assertThat(hits(tier)).isEqualTo(KEYS);
    }
  }

  @Test
  void keyIsChangedWithoutAColdStart() {
    fill(builder().recordKey(KEY));
    try (DiskSecondaryCache tier = builder().recordKey(OTHER, KEY).build()) {
      assertThat(tier.diskStats().start()).isEqualTo("warm");
      assertThat(hits(tier)).isEqualTo(KEYS);
      assertThat(Rig.put(tier, 0, 2, VALUE)).isTrue();
    }
    try (DiskSecondaryCache tier = builder().recordKey(OTHER).build()) {
      assertThat(tier.diskStats().start()).as("signed with the new key").isEqualTo("warm");
      assertThat(hits(tier)).as("what was written since").isEqualTo(1);
      assertThat(figure(tier, UNKNOWN)).isEqualTo(KEYS - 1);
      assertThat(figure(tier, FAILED)).isZero();
    }
  }

  /** Records that are written again elsewhere keep their codes. */
  @Test
  void recordsThatMoveStaySigned() {
    DiskSecondaryCacheBuilder settings =
        builder().recordKey(KEY).regionBytes(8 << 10).capacityBytes(32 << 10).reinsertRatio(1);
    try (DiskSecondaryCache tier = settings.build()) {
      int key = 1;
      assertThat(Rig.put(tier, 0, 1, VALUE)).isTrue();
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (tier.diskStats().reinserted() < 5 && System.nanoTime() - deadline < 0) {
        DiskStats stats = tier.diskStats();
        if (stats.usedRegions() == stats.regions()) {
          // What fills all regions at once leaves no room to write again.
          LockSupport.parkNanos(50_000);
          continue;
        }
        Rig.put(tier, key++, 1, VALUE);
        int version = Rig.versionNow(tier, 0);
        if (version == Rig.NONE) {
          Rig.put(tier, 0, 1, VALUE);
        }
      }
      assertThat(tier.diskStats().reinserted()).isPositive();
      int hits = 0;
      for (int i = 0; i < key; i++) {
        hits += Rig.versionNow(tier, i);
      }
      assertThat(hits).isPositive();
      assertThat(tier.stats().count(TierOutcome.CORRUPT)).isZero();
      assertThat(figure(tier, FAILED) + figure(tier, UNKNOWN)).isZero();
    }
  }
}
