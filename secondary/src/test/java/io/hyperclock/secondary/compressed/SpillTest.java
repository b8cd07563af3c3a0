/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.testing.TestValues;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the tier tells of what it gives up. */
class SpillTest {
  private static final int SIZE = 1 << 10;

  private record Drop(EntryType<?> type, long heldBytes, Supplier<?> value) {}

  private final Map<Long, Drop> drops = new HashMap<>();
  private final CompressedSecondaryCache tier =
      CompressedSecondaryCache.builder()
          .capacityBytes(1 << 17)
          .estimatedEntryCharge(1 << 10)
          .build();

  private void listen() {
    tier.onDrop(
        new DropListener() {
          @Override
          public <T> void onDrop(
              long keyHi,
              long keyLo,
              EntryType<T> type,
              long heldBytes,
              Supplier<@Nullable T> value) {
            assertThat(keyHi).isEqualTo(1);
            assertThat(drops.put(keyLo, new Drop(type, heldBytes, value))).isNull();
          }
        });
  }

  @Test
  void everyEntryIsHereOrThere() {
    listen();
    int keys = 1_000;
    for (int key = 0; key < keys; key++) {
      EntryType<byte[]> type = key % 2 == 0 ? TestValues.BYTES : TestValues.INDEX;
      assertThat(tier.insert(1, key, TestValues.value(key, 0, SIZE), type, true)).isTrue();
    }
    assertThat(drops).hasSize((int) tier.stats().dropped()).hasSizeGreaterThan(500);
    for (int key = 0; key < keys; key++) {
      Drop drop = drops.get((long) key);
      EntryType<byte[]> type = key % 2 == 0 ? TestValues.BYTES : TestValues.INDEX;
      byte[] here = tier.lookup(TierRequest.<byte[]>of(1, key, type)).join().value();
      assertThat(here == null).isEqualTo(drop != null);
      if (drop != null) {
        assertThat(drop.type()).isSameAs(type);
        assertThat(drop.heldBytes()).isBetween(SIZE / 2L, (long) SIZE);
        assertThat(drop.value().get()).isEqualTo(TestValues.value(key, 0, SIZE));
      }
    }
  }

  @Test
  void smallerCapacityOffersToo() {
    listen();
    for (int key = 0; key < 50; key++) {
      tier.insert(1, key, TestValues.value(key, 0, SIZE), TestValues.BYTES, true);
    }
    assertThat(drops).isEmpty();
    tier.setCapacity(1 << 15);
    assertThat(drops.size() + tier.stats().entries()).isEqualTo(50);
    assertThat(drops).isNotEmpty();
  }

  @Test
  void offersNeitherWhatIsErasedNorWhatIsReplaced() {
    listen();
    tier.insert(1, 1, TestValues.value(1, 0, SIZE), TestValues.BYTES, true);
    tier.insert(1, 1, TestValues.value(1, 1, SIZE), TestValues.BYTES, true);
    tier.lookup(new TierRequest<byte[]>(1, 1, TestValues.BYTES, null, true)).join();
    tier.insert(1, 2, TestValues.value(2, 1, SIZE), TestValues.BYTES, true);
    tier.erase(1, 2);
    tier.insert(1, 3, TestValues.value(3, 1, SIZE), TestValues.BYTES, true);
    tier.store.get(1, 3)[20]++;
    tier.lookup(TierRequest.<byte[]>of(1, 3, TestValues.BYTES)).join();
    tier.insert(1, 4, TestValues.value(4, 1, SIZE), TestValues.BYTES, true);
    tier.setCapacity(0);
    tier.close();
    assertThat(drops).isEmpty();
  }

  @Test
  void staysClosedWhereTheListenerClosesIt() {
    whileDropping(tier::close);
    assertThat(tier.state()).isEqualTo(TierState.CLOSED);
    assertThat(tier.stats().entries()).isZero();
    assertThat(tier.insert(1, 1, new byte[SIZE], TestValues.BYTES, true)).isFalse();
  }

  @Test
  void theLastCapacitySetCountsWhereTheListenerSetsIt() {
    whileDropping(() -> tier.setCapacity(1 << 16));
    assertThat(tier.stats().capacityBytes()).isEqualTo(1 << 16);
    assertThat(tier.stats().usageBytes()).isLessThanOrEqualTo(1 << 16);
    tier.deflate(1 << 10);
    assertThat(tier.stats().capacityBytes()).isEqualTo((1 << 16) - (1 << 10));
  }

  @Test
  void staysDisabledWhereTheListenerDisablesIt() {
    whileDropping(() -> tier.setCapacity(0));
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.BYPASS);
    assertThat(tier.stats().entries()).isZero();
    tier.setCapacity(1 << 17);
    assertThat(tier.state()).isEqualTo(TierState.OPEN);
  }

  /** A smaller capacity makes the tier drop entries; the first drop makes a call of it. */
  private void whileDropping(Runnable call) {
    AtomicInteger told = new AtomicInteger();
    tier.onDrop(
        new DropListener() {
          @Override
          public <T> void onDrop(
              long keyHi,
              long keyLo,
              EntryType<T> type,
              long heldBytes,
              Supplier<@Nullable T> value) {
            if (told.getAndIncrement() == 0) {
              call.run();
            }
          }
        });
    for (int key = 0; key < 50; key++) {
      tier.insert(1, key, TestValues.value(key, 0, SIZE), TestValues.BYTES, true);
    }
    assertThat(tier.stats().entries()).isEqualTo(50);
    tier.setCapacity(1 << 15);
    assertThat(told).hasPositiveValue();
  }

  @Test
  void damagedOrUndecodableIsNull() {
    listen();
    for (int key = 0; key < 50; key++) {
      EntryType<byte[]> type = key % 2 == 0 ? TestValues.BYTES : TestValues.DECODE_FAILS;
      tier.insert(1, key, TestValues.value(key, 0, SIZE), type, true);
      tier.store.get(1, key)[key] ^= (byte) (key % 2 == 0 ? 1 : 0);
    }
    tier.setCapacity(1 << 15);
    assertThat(drops.values())
        .isNotEmpty()
        .allSatisfy(drop -> assertThat(drop.value().get()).isNull());
  }

  @Test
  void typesBeyondThoseRememberedAreNotOffered() {
    listen();
    for (int key = 0; key < 200; key++) {
      EntryType<byte[]> type =
          EntryType.<byte[]>named("type " + key).codec(TestValues.BYTES.codec()).build();
      assertThat(tier.insert(1, key, new byte[SIZE], type, true)).isTrue();
    }
    tier.setCapacity(tier.store.tableBytes() + 1);
    assertThat(tier.stats().entries()).isZero();
    assertThat(tier.stats().dropped()).isEqualTo(200);
    assertThat(drops).hasSize(64);
  }
}
