/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.awaitLatch;
import static java.time.Duration.ZERO;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The hottest entries of the primary are there again after a restart. */
class HotRestartTest extends HotRestartScenario {
  @ParameterizedTest
  @EnumSource(AdmissionPolicy.class)
  void whatThePrimaryHadComesBack(AdmissionPolicy all) {
    policy = all;
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    cache = open();
    awaitWarm(cache, KEYS);
    assertThat(inPrimary(cache, 1)).hasSize(KEYS);
    cache.close();
    // And once more: nothing was evicted in between.
    cache = open();
    awaitWarm(cache, KEYS);
    assertThat(inPrimary(cache, 1)).hasSize(KEYS);
  }

  @Test
  void secondCloseBesideTheFirstTakesNothingFromIt() throws Exception {
    HookedTier tier = new HookedTier(disk());
    CountDownLatch saving = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    tier.beforeInsert =
        () -> {
          saving.countDown();
          awaitLatch(goOn);
        };
    TieredBlockCache<Blocks.Block> cache = open(true, tier);
    fill(cache);
    Thread first = new Thread(cache::close, "first");
    first.start();
    awaitLatch(saving);
    Thread second = new Thread(cache::close, "second");
    second.start();
    await()
        .pollDelay(ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () ->
                second.getState() == Thread.State.BLOCKED
                    || second.getState() == Thread.State.TERMINATED);
    goOn.countDown();
    first.join();
    second.join();
    writers.awaitEnd();
    assertThat(directory.resolve("restart.keys")).exists();
  }

  @Test
  void theHottestComeIfNotAllMay() {
    settings = warm -> warm.maxKeys(5);
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    List<Long> hot = List.of(3L, 10L, 11L, 30L, 59L);
    for (int turn = 0; turn < 4; turn++) {
      hot.forEach(key -> TieredRig.check(key, open.lookup(HI, key, blocks.data)));
    }
    cache.close();
    cache = open();
    awaitWarm(cache, 5);
    awaitNoWarmUp();
    assertThat(inPrimary(cache, 1)).containsExactlyInAnyOrderElementsOf(hot);
  }

  @Test
  void hotterEntriesOfOtherTypesTakeNoPlaceInTheList() {
    settings = warm -> warm.maxKeys(5);
    TieredBlockCache<Blocks.Block> cache = open();
    for (long key = 0; key < 30; key++) {
      EntryType<Blocks.Block> type = key < 5 ? blocks.data : blocks.index;
      cache.put(HI, key, blocks.make(key, 1), type, Blocks.CHARGE, Priority.LOW);
    }
    for (int turn = 0; turn < 4; turn++) {
      for (long key = 5; key < 30; key++) {
        TieredRig.check(key, cache.lookup(HI, key, blocks.index));
      }
    }
    cache.close();
    cache = open();
    awaitWarm(cache, 5);
    awaitNoWarmUp();
    assertThat(inPrimary(cache, 1)).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
  }

  @Test
  void withoutTheSettingNothingIsListedOrRead() {
    TieredBlockCache<Blocks.Block> cache = open(false, disk());
    fill(cache);
    close(cache);
    assertThat(directory.resolve("restart.keys")).doesNotExist();
    cache = open();
    awaitNoWarmUp();
    assertThat(cache.primary().monitor().occupancy()).isZero();
  }

  @Test
  void whatNoTierHasIsLoaded() throws Exception {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    close(cache);
    byte[] list = Files.readAllBytes(directory.resolve("restart.keys"));
    try (DiskSecondaryCache alone = disk()) {
      for (long key = 0; key < KEYS; key += 2) {
        alone.erase(HI, key);
      }
    }
    writers.awaitEnd();
    Files.write(directory.resolve("restart.keys"), list);
    settings =
        warm ->
            warm.loader(
                BlockLoader.of(
                    blocks.data, block -> Blocks.CHARGE, (hi, lo) -> blocks.make(lo, 1)));
    cache = open();
    awaitWarm(cache, KEYS);
    assertThat(inPrimary(cache, 1)).hasSize(KEYS);
  }

  @Test
  void loadersMayThrowOrFindNothing() {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    HookedTier empty = new HookedTier(disk());
    empty.isBusy = true;
    settings =
        warm ->
            warm.loader(
                BlockLoader.of(
                    blocks.data,
                    block -> Blocks.CHARGE,
                    (hi, lo) -> {
                      if (lo % 3 == 0) {
                        throw new IllegalArgumentException("key=" + lo);
                      }
                      return lo % 3 == 1 ? null : blocks.make(lo, 1);
                    }));
    cache = open(true, empty);
    awaitWarm(cache, KEYS / 3);
    awaitNoWarmUp();
    assertThat(inPrimary(cache, 1)).hasSize(KEYS / 3).allMatch(key -> key % 3 == 2);
  }

  @Test
  void readingEndsWhereThePrimaryIsFull() {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    HookedTier tier = new HookedTier(disk());
    CountDownLatch filled = new CountDownLatch(1);
    tier.beforeLookup = () -> awaitLatch(filled);
    cache = open(true, tier);
    for (long key = 1000; key < 1000 + 2 * KEYS; key++) {
      put(cache, key, 1);
    }
    filled.countDown();
    awaitNoWarmUp();
    long listed = inPrimary(cache, 1).stream().filter(key -> key < KEYS).count();
    assertThat(listed).as("one that was under way at most").isLessThanOrEqualTo(1);
  }

  @Test
  void whatIsWrittenMeanwhileWins() {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    HookedTier tier = new HookedTier(disk());
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    tier.beforeLookup =
        () -> {
          asked.countDown();
          awaitLatch(written);
        };
    cache = open(true, tier);
    awaitLatch(asked);
    for (long key = 0; key < KEYS; key++) {
      put(cache, key, 2);
    }
    written.countDown();
    awaitNoWarmUp();
    assertThat(inPrimary(cache, 2)).hasSize(KEYS);
    for (long key = 0; key < KEYS; key++) {
      assertThat(version(cache, key)).isEqualTo(2);
    }
  }

  @Test
  void whatIsErasedMeanwhileStaysErased() {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    HookedTier tier = new HookedTier(disk());
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch erased = new CountDownLatch(1);
    tier.beforeLookup =
        () -> {
          asked.countDown();
          awaitLatch(erased);
        };
    cache = open(true, tier);
    awaitLatch(asked);
    for (long key = 0; key < KEYS; key++) {
      cache.erase(HI, key);
    }
    erased.countDown();
    awaitNoWarmUp();
    assertThat(inPrimary(cache, 1)).isEmpty();
  }

  @Test
  void closeWaitsForNoReadAndListsWhatIsLeft() {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    HookedTier tier = new HookedTier(disk());
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    tier.beforeLookup =
        () -> {
          asked.countDown();
          awaitLatch(closed);
        };
    cache = open(true, tier);
    awaitLatch(asked);
    cache.close();
    closed.countDown();
    awaitNoWarmUp();
    cache = open();
    awaitWarm(cache, KEYS);
    assertThat(inPrimary(cache, 1)).hasSize(KEYS);
  }

  @Test
  void whatIsWrittenWhileTheListIsMadeIsNotSaved() {
    HookedTier tier = new HookedTier(disk());
    TieredBlockCache<Blocks.Block> cache = open(true, tier);
    fill(cache);
    boolean[] once = new boolean[1];
    tier.beforeInsert =
        () -> {
          if (!once[0]) {
            once[0] = true;
            for (long key = 0; key < KEYS; key++) {
              put(open, key, 2);
            }
          }
        };
    cache.close();
    assertThat(once[0]).isTrue();
    try (DiskSecondaryCache alone = disk()) {
      for (long key = 0; key < KEYS; key++) {
        var found = alone.lookupNow(TierRequest.of(HI, key, blocks.data)).value();
        if (found != null) {
          assertThat(found.version).isEqualTo(2);
          blocks.giveUp(found);
        }
      }
    }
  }

  @Test
  void closingTwiceAndWithOpenHandlesIsSound() {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    try (Handle<Blocks.Block> held = cache.lookup(HI, 1, blocks.data)) {
      cache.close();
      cache.close();
      assertThat(held.value().isFreed()).isFalse();
    }
    cache = open();
    awaitWarm(cache, KEYS);
    assertThat(inPrimary(cache, 1)).hasSize(KEYS);
  }
}
