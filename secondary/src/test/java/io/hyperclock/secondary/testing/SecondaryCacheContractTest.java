/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static io.hyperclock.secondary.testing.TestValues.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every tier in good order must do. A subclass makes the tier, which must accept what is
 * forced upon it while there is room; its own promises are tested there.
 */
public abstract class SecondaryCacheContractTest extends TierSafetyContractTest {
  /** Whether the tier lives in memory, so that a part of its capacity can be taken for others. */
  protected boolean isInMemory() {
    return true;
  }

  /** Whether the tier knows what it holds; one that others fill too reports 0 entries and bytes. */
  protected boolean countsEntries() {
    return true;
  }

  /** How many keys may be taken for others, whose values they replace without a count of a drop. */
  protected long mistakenKeys() {
    return 0;
  }

  private void assertEntries(long expected) {
    assertThat(tier().stats().entries()).isEqualTo(countsEntries() ? expected : 0);
  }

  @Test
  final void givesBackWhatWasInserted() {
    byte[] value = value(1, 0, VALUE_SIZE);
    assertThat(insert(1, value)).isTrue();
    TierResult<byte[]> result = lookup(1);
    assertThat(result.outcome()).isEqualTo(TierOutcome.HIT);
    assertThat(result.value()).isEqualTo(value).isNotSameAs(value);
    assertThat(result.chargeBytes()).isEqualTo(VALUE_SIZE);
    assertThat(result.kept()).isTrue();
  }

  /** So that meters can be bound once. */
  @Test
  final void figuresAreAlwaysTheSame() {
    List<TierMetric> before = tier().metrics();
    insert(1, value(1, 0, VALUE_SIZE));
    lookup(1);
    List<TierMetric> after = tier().metrics();
    tier().close();
    for (List<TierMetric> metrics : List.of(after, tier().metrics())) {
      assertThat(metrics).extracting(TierMetric::name).doesNotHaveDuplicates();
      assertThat(metrics)
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("value")
          .isEqualTo(before);
      assertThat(metrics).allSatisfy(figure -> assertThat(figure.value()).isNotNegative());
    }
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).kind() == TierMetric.Kind.COUNT) {
        assertThat(after.get(i).value())
            .as(after.get(i).name())
            .isGreaterThanOrEqualTo(before.get(i).value());
      }
    }
  }

  @Test
  final void lookupOfOneWhoWaitsMeansTheSame() {
    byte[] value = value(1, 0, VALUE_SIZE);
    insert(1, value);
    TierResult<byte[]> result = await(tier().lookupAndWait(TierRequest.of(HI, 1, BYTES)));
    assertThat(result).usingRecursiveComparison().isEqualTo(lookup(1));
    assertThat(result.value()).isEqualTo(value);
    assertThat(await(tier().lookupAndWait(TierRequest.of(HI, 2, BYTES))).outcome())
        .isEqualTo(TierOutcome.ABSENT);
  }

  @Test
  final void missesWhatWasNotInserted() {
    insert(1, value(1, 0, VALUE_SIZE));
    assertThat(lookup(2).outcome()).isEqualTo(TierOutcome.ABSENT);
    assertThat(await(tier().lookup(TierRequest.of(HI + 1, 1, BYTES))).outcome())
        .isEqualTo(TierOutcome.ABSENT);
  }

  @Test
  final void keepsBytesNotTheValue() {
    byte[] value = value(1, 0, VALUE_SIZE);
    insert(1, value);
    Arrays.fill(value, (byte) 0);
    TierResult<byte[]> result = lookup(1);
    assertThat(result.value()).isEqualTo(value(1, 0, VALUE_SIZE));
    Arrays.fill(result.value(), (byte) 0);
    assertThat(lookup(1).value()).isEqualTo(value(1, 0, VALUE_SIZE));
  }

  @Test
  final void newerValueReplacesOlder() {
    insert(1, value(1, 0, VALUE_SIZE));
    insert(1, value(1, 1, VALUE_SIZE / 2));
    assertThat(lookup(1).value()).isEqualTo(value(1, 1, VALUE_SIZE / 2));
    assertEntries(1);
  }

  @Test
  final void insertThatIsNotForcedLeavesNoOlderValue() {
    insert(1, value(1, 0, VALUE_SIZE));
    tier().insert(HI, 1, value(1, 1, VALUE_SIZE), BYTES, false);
    TierResult<byte[]> result = lookup(1);
    assertThat(result.isHit() ? TestValues.versionOf(1, result.value()) : 1).isEqualTo(1);
  }

  @Test
  final void declinedInsertLeavesNoOlderValue() {
    insert(1, value(1, 0, VALUE_SIZE));
    assertThat(insert(1, value(1, 1, 4 * (int) CAPACITY))).isFalse();
    assertThat(lookup(1).isHit()).isFalse();
    insert(2, value(2, 0, VALUE_SIZE));
    assertThat(insert(2, value(2, 1, VALUE_SIZE), TestValues.ENCODE_FAILS)).isFalse();
    assertThat(lookup(2).isHit()).isFalse();
  }

  @Test
  final void erasedValueIsGone() {
    insert(1, value(1, 0, VALUE_SIZE));
    tier().erase(HI, 1);
    tier().erase(HI, 2);
    assertThat(lookup(1).outcome()).isEqualTo(TierOutcome.ABSENT);
    assertThat(tier().stats().entries()).isZero();
  }

  @Test
  final void followsAdviceToEraseIfItSaysSo() {
    insert(1, value(1, 0, VALUE_SIZE));
    TierResult<byte[]> result = await(tier().lookup(new TierRequest<>(HI, 1, BYTES, null, true)));
    assertThat(result.isHit()).isTrue();
    assertThat(result.kept()).isEqualTo(!tier().erasesOnAdvice());
    assertThat(lookup(1).isHit()).isEqualTo(!tier().erasesOnAdvice());
  }

  @Test
  final void handsContextToTheCodec() {
    insert(1, new byte[] {1, 2, 3}, TestValues.SHIFTED);
    TierRequest<byte[]> request = new TierRequest<>(HI, 1, TestValues.SHIFTED, (byte) 10, false);
    assertThat(await(tier().lookup(request)).value()).containsExactly(11, 12, 13);
    List<CompletableFuture<TierResult<byte[]>>> batch = tier().lookupAll(List.of(request));
    assertThat(await(batch.get(0)).value()).containsExactly(11, 12, 13);
  }

  @Test
  final void storesEmptyValues() {
    insert(1, new byte[0]);
    assertThat(lookup(1).value()).isEmpty();
  }

  @Test
  final void failingCodecIsDeclinedOrMissed() {
    byte[] value = value(1, 0, VALUE_SIZE);
    assertThat(insert(1, value, TestValues.ENCODE_FAILS)).isFalse();
    assertThat(insert(2, value, TestValues.ENCODES_TOO_LITTLE)).isFalse();
    assertThat(insert(3, value, TestValues.ENCODES_TOO_MUCH)).isFalse();
    assertThat(insert(4, value, TestValues.SIZE_IS_NEGATIVE)).isFalse();
    assertThat(insert(5, value, TestValues.DECODE_FAILS)).isTrue();
    assertThat(await(tier().lookup(TierRequest.of(HI, 5, TestValues.DECODE_FAILS))).outcome())
        .isEqualTo(TierOutcome.UNDECODABLE);
    for (int key = 1; key <= 4; key++) {
      assertThat(lookup(key).outcome()).isEqualTo(TierOutcome.ABSENT);
    }
    EntryType<byte[]> fatal =
        TestValues.calling(
            () -> {
              throw new AssertionError("fails on purpose");
            });
    assertThat(insert(6, value, fatal)).isFalse();
    insert(7, value);
    assertThat(await(tier().lookup(TierRequest.of(HI, 7, fatal))).outcome())
        .isEqualTo(TierOutcome.UNDECODABLE);
  }

  @Test
  final void batchFindsWhatSingleLookupsFind() {
    insert(1, value(1, 0, VALUE_SIZE));
    insert(3, value(3, 0, VALUE_SIZE));
    List<TierRequest<byte[]>> requests = new ArrayList<>();
    for (long key : new long[] {3, 2, 1, 3}) {
      requests.add(TierRequest.of(HI, key, BYTES));
    }
    List<byte[]> values = new ArrayList<>();
    for (CompletableFuture<TierResult<byte[]>> future : tier().lookupAll(requests)) {
      values.add(await(future).value());
    }
    assertThat(values)
        .containsExactly(
            value(3, 0, VALUE_SIZE), null, value(1, 0, VALUE_SIZE), value(3, 0, VALUE_SIZE));
    assertThat(values.get(0)).isNotSameAs(values.get(3));
  }

  @Test
  final void hostileCallerLeavesTheEntry() {
    insert(1, value(1, 0, VALUE_SIZE));
    tier().lookup(TierRequest.of(HI, 1, BYTES)).cancel(true);
    assertThat(lookup(1).isHit()).isTrue();
    assertThatThrownBy(() -> insert(1, new byte[1], TestValues.WITHOUT_CODEC))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tier().setCapacity(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(lookup(1).isHit()).isTrue();
  }

  @Test
  final void staysWithinCapacity() {
    for (int key = 0; key < 3 * CAPACITY / VALUE_SIZE; key++) {
      insert(key, value(key, 0, VALUE_SIZE));
      assertThat(tier().stats().usageBytes()).isLessThanOrEqualTo(CAPACITY);
    }
    TierStats stats = tier().stats();
    if (countsEntries()) {
      assertThat(stats.entries()).isPositive();
      assertThat(stats.accepted() - stats.entries() - stats.dropped())
          .isBetween(0L, mistakenKeys());
    }
  }

  @Test
  final void tellsOnlyOfWhatItNoLongerGives() {
    Map<Long, byte[]> told = new HashMap<>();
    tier()
        .onDrop(
            new DropListener() {
              @Override
              public <T> void onDrop(
                  long keyHi,
                  long keyLo,
                  EntryType<T> type,
                  long heldBytes,
                  Supplier<@Nullable T> value) {
                told.put(keyLo, (byte[]) value.get());
              }
            });
    int keys = (int) (3 * CAPACITY / VALUE_SIZE);
    for (int key = 0; key < keys; key++) {
      insert(key, value(key, 0, VALUE_SIZE));
      if (key % 8 == 0 && lookup(key).isHit()) {
        tier().erase(HI, key);
        assertThat(told).doesNotContainKey((long) key);
      }
    }
    told.forEach(
        (key, value) -> {
          assertThat(value).isEqualTo(value(key, 0, VALUE_SIZE));
          assertThat(lookup(key).outcome()).isEqualTo(TierOutcome.ABSENT);
        });
    assertThat(told.size()).isLessThanOrEqualTo((int) tier().stats().dropped());
  }

  @Test
  final void capacityZeroDisablesUntilRaised() {
    insert(1, value(1, 0, VALUE_SIZE));
    tier().setCapacity(0);
    assertThat(tier().state().mode()).isEqualTo(TierState.Mode.BYPASS);
    assertThat(tier().stats().entries()).isZero();
    tier().setCapacity(CAPACITY);
    assertThat(tier().state()).isEqualTo(TierState.OPEN);
    assertThat(lookup(1).outcome()).isEqualTo(TierOutcome.ABSENT);
    assertThat(insert(1, value(1, 2, VALUE_SIZE))).isTrue();
    assertThat(lookup(1).value()).isEqualTo(value(1, 2, VALUE_SIZE));
  }

  @Test
  final void smallerCapacityGivesRoomUp() {
    for (int key = 0; key < CAPACITY / VALUE_SIZE; key++) {
      insert(key, value(key, 0, VALUE_SIZE));
    }
    tier().setCapacity(CAPACITY / 4);
    assertThat(tier().stats().usageBytes()).isLessThanOrEqualTo(CAPACITY / 4);
    assertThat(tier().stats().entries() > 0).isEqualTo(countsEntries());
  }

  @Test
  final void deflatedCapacityComesBack() {
    tier().deflate(CAPACITY / 2);
    assertThat(capacity()).isEqualTo(isInMemory() ? CAPACITY / 2 : CAPACITY);
    tier().deflate(CAPACITY);
    assertThat(capacity()).isEqualTo(isInMemory() ? 0 : CAPACITY);
    tier().setCapacity(2 * CAPACITY);
    assertThat(capacity()).isEqualTo(isInMemory() ? CAPACITY / 2 : 2 * CAPACITY);
    tier().inflate(CAPACITY);
    tier().inflate(CAPACITY / 2);
    assertThat(capacity()).isEqualTo(2 * CAPACITY);
    assertThat(tier().state()).isEqualTo(TierState.OPEN);
  }

  private long capacity() {
    return tier().stats().capacityBytes();
  }

  @Test
  final void countsWhatItDid() {
    insert(1, value(1, 0, VALUE_SIZE));
    insert(2, value(2, 0, 4 * (int) CAPACITY), TestValues.INDEX);
    lookup(1);
    lookup(1);
    await(tier().lookup(TierRequest.of(HI, 3, TestValues.INDEX)));
    TierStats stats = tier().stats();
    assertThat(stats.capacityBytes()).isEqualTo(CAPACITY);
    assertThat(stats.usageBytes() > 0).isEqualTo(countsEntries());
    assertEntries(1);
    assertThat(stats.accepted()).isEqualTo(1);
    assertThat(stats.declined()).isEqualTo(1);
    assertThat(stats.count(TierOutcome.HIT)).isEqualTo(2);
    assertThat(stats.misses()).isEqualTo(1);
    assertThat(stats.role(EntryRole.DATA_BLOCK)).isEqualTo(new TierStats.Role(1, 0, 2, 0));
    assertThat(stats.role(EntryRole.INDEX_BLOCK)).isEqualTo(new TierStats.Role(0, 1, 0, 1));
  }
}
