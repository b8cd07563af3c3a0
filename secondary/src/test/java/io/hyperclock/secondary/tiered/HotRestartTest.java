/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.time.Duration.ZERO;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.RecordKey;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.WarmRestart;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hottest entries of the primary are there again after a restart. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class HotRestartTest {
  private static final long HI = 7;
  private static final int KEYS = 60;
  private static final RecordKey SECRET = RecordKey.hmacSha256(new byte[32]);

  @TempDir Path directory;
  private final Blocks blocks = new Blocks();
  private UnaryOperator<WarmRestart<Blocks.Block>> settings = warm -> warm;
  private AdmissionPolicy policy = AdmissionPolicy.ALL;
  private @Nullable RecordKey secret;
  private @Nullable TieredBlockCache<Blocks.Block> open;

  @AfterEach
  void everyValueIsFreed() {
    if (open != null) {
      open.close();
    }
    await().pollDelay(ZERO).atMost(30, SECONDS).until(() -> blocks.live() == 0);
    blocks.assertSound();
  }

  private DiskSecondaryCache disk() {
    var builder =
        DiskSecondaryCache.builder()
            .directory(directory)
            .capacityBytes(16 << 16)
            .regionBytes(1 << 16);
    return (secret == null ? builder : builder.recordKey(secret)).build();
  }

  private TieredBlockCache<Blocks.Block> open(boolean warm, SecondaryCache... tiers) {
    var builder =
        TieredBlockCache.builder(
                BlockCache.<Blocks.Block>builder()
                    .capacityBytes(2 * KEYS * Blocks.CHARGE)
                    .estimatedEntryCharge(Blocks.CHARGE / 4)
                    .metadataCharge(MetadataCharge.NONE)
                    .shards(1))
            .admission(policy);
    if (warm) {
      builder.warmRestart(settings.apply(WarmRestart.of(blocks.data)));
    }
    for (SecondaryCache tier : tiers) {
      builder.tier(tier);
    }
    open = builder.build();
    return open;
  }

  private TieredBlockCache<Blocks.Block> open() {
    return open(true, disk());
  }

  private void put(TieredBlockCache<Blocks.Block> cache, long key, int version) {
    cache.put(HI, key, blocks.make(key, version), blocks.data, Blocks.CHARGE, Priority.LOW);
  }

  private void fill(TieredBlockCache<Blocks.Block> cache) {
    for (long key = 0; key < KEYS; key++) {
      put(cache, key, 1);
    }
  }

  /** What the primary has: keys to versions are checked. */
  private static Set<Long> inPrimary(TieredBlockCache<Blocks.Block> cache, int version) {
    Set<Long> keys = new HashSet<>();
    cache.forEachEntry(
        (hi, lo, block, type, charge) -> {
          assertThat(block.key).isEqualTo(lo);
          assertThat(block.version).isEqualTo(version);
          keys.add(lo);
        });
    return keys;
  }

  private static void awaitWarm(TieredBlockCache<Blocks.Block> cache, int count) {
    await()
        .pollDelay(ZERO)
        .atMost(60, SECONDS)
        .until(() -> cache.primary().monitor().occupancy() >= count);
  }

  private static void awaitNoWarmUp() {
    await()
        .pollDelay(ZERO)
        .atMost(60, SECONDS)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("hyperclock-warm-up")));
  }

  private int version(TieredBlockCache<Blocks.Block> cache, long key) {
    return Rig.check(key, cache.lookup(HI, key, blocks.data));
  }

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
  void theHottestComeIfNotAllMay() {
    settings = warm -> warm.maxKeys(5);
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    List<Long> hot = List.of(3L, 10L, 11L, 30L, 59L);
    for (int turn = 0; turn < 4; turn++) {
      hot.forEach(key -> Rig.check(key, open.lookup(HI, key, blocks.data)));
    }
    cache.close();
    cache = open();
    awaitWarm(cache, 5);
    awaitNoWarmUp();
    assertThat(inPrimary(cache, 1)).containsExactlyInAnyOrderElementsOf(hot);
  }

  @Test
  void withoutTheSettingNothingIsListedOrRead() {
    TieredBlockCache<Blocks.Block> cache = open(false, disk());
    fill(cache);
    cache.close();
    assertThat(directory.resolve("restart.keys")).doesNotExist();
    cache = open();
    awaitNoWarmUp();
    assertThat(cache.primary().monitor().occupancy()).isZero();
  }

  @Test
  void whatNoTierHasIsLoaded() throws Exception {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    byte[] list = Files.readAllBytes(directory.resolve("restart.keys"));
    try (DiskSecondaryCache alone = disk()) {
      for (long key = 0; key < KEYS; key += 2) {
        alone.erase(HI, key);
      }
    }
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
  void anOldListBringsWhatTheTierHasNow() throws Exception {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    byte[] old = Files.readAllBytes(directory.resolve("restart.keys"));
    cache = open();
    awaitWarm(cache, KEYS);
    awaitNoWarmUp();
    for (long key = 0; key < KEYS; key++) {
      put(cache, key, 2);
    }
    cache.close();
    Files.write(directory.resolve("restart.keys"), old);
    cache = open();
    awaitWarm(cache, KEYS);
    assertThat(inPrimary(cache, 2)).hasSize(KEYS);
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
  void everyDamagedListCostsWarmthOnly() throws Exception {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    Path file = directory.resolve("restart.keys");
    byte[] list = Files.readAllBytes(file);
    for (int at = 0; at < list.length; at += at < 64 ? 1 : 97) {
      byte[] damaged = list.clone();
      damaged[at] ^= 4;
      try (DiskSecondaryCache tier = damagedStart(file, damaged)) {
        assertThat(tier.restartList()).as("at=%s", at).isNull();
        assertThat(tier.diskStats().warmStart()).isTrue();
      }
    }
    for (int length = 0; length < list.length; length += length < 64 ? 1 : 97) {
      try (DiskSecondaryCache tier = damagedStart(file, Arrays.copyOf(list, length))) {
        assertThat(tier.restartList()).as("length=%s", length).isNull();
        assertThat(tier.diskStats().warmStart()).isTrue();
      }
    }
    try (DiskSecondaryCache tier = damagedStart(file, list)) {
      assertThat(tier.restartList()).isNotNull();
    }
    try (DiskSecondaryCache tier = disk()) {
      assertThat(tier.restartList()).as("there for one start").isNull();
    }
  }

  private DiskSecondaryCache damagedStart(Path file, byte[] bytes) throws Exception {
    Files.write(file, bytes);
    return disk();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "link", "directory"})
  void whatIsNotTheTiersStaysAsItIs(String kind) throws Exception {
    Path file = directory.resolve("restart.keys");
    Path elsewhere = Files.createDirectories(directory.resolve("other")).resolve("file");
    Files.writeString(elsewhere, "elsewhere");
    switch (kind) {
      case "text" -> Files.writeString(file, "not a list");
      case "link" -> Files.createSymbolicLink(file, elsewhere);
      default -> Files.createDirectory(file);
    }
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    if (kind.equals("text")) {
      assertThat(file).hasContent("not a list");
    } else {
      assertThat(Files.isDirectory(file) || Files.isSymbolicLink(file)).isTrue();
    }
    assertThat(elsewhere).hasContent("elsewhere");
    cache = open();
    awaitNoWarmUp();
    assertThat(cache.primary().monitor().occupancy()).isZero();
    assertThat(version(cache, 3)).as("the tier itself is warm").isEqualTo(1);
  }

  @Test
  void listOfAnotherStoreIsNotUsed() throws Exception {
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    byte[] foreign = Files.readAllBytes(directory.resolve("restart.keys"));
    Files.delete(directory.resolve("index.snap"));
    open().close();
    Files.write(directory.resolve("restart.keys"), foreign);
    try (DiskSecondaryCache tier = disk()) {
      assertThat(tier.diskStats().warmStart()).isTrue();
      assertThat(tier.restartList()).isNull();
    }
  }

  @Test
  void withRecordKeyTheListIsSigned() throws Exception {
    secret = SECRET;
    TieredBlockCache<Blocks.Block> cache = open();
    fill(cache);
    cache.close();
    Path file = directory.resolve("restart.keys");
    byte[] signed = Files.readAllBytes(file);
    cache = open();
    awaitWarm(cache, KEYS);
    cache.close();
    for (int at : new int[] {40, signed.length - 25}) {
      byte[] forged = signed.clone();
      forged[at] ^= 1;
      CRC32C crc = new CRC32C();
      crc.update(forged, 16, forged.length - 20 - 16);
      ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN).putInt(12, (int) crc.getValue());
      try (DiskSecondaryCache tier = damagedStart(file, forged)) {
        assertThat(tier.diskStats().warmStart()).isTrue();
        assertThat(tier.restartList()).as("at=%s", at).isNull();
      }
    }
    try (DiskSecondaryCache tier = damagedStart(file, signed)) {
      assertThat(tier.restartList()).isNotNull();
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

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(50, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
