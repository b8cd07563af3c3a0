/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static io.hyperclock.secondary.tiered.TieredRig.HI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.testing.TestValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What reaches the tiers, for each way into the cache and each policy: the table in the docs. */
class AdmissionTableTest {
  private static final Path DOCUMENT = Path.of("docs/tiering.md");
  private static final long KEY = 1;
  private static final int SIZE = 100;
  private static final long CAPACITY = 64 * SIZE;
  private static final EntryType<byte[]> TYPE = TestValues.BYTES;
  private static final String NOTHING = "–";

  /** A way into the cache. */
  private enum Way {
    INSERT("`insert`", (setup, unused) -> setup.insert()),
    INSERT_PINNED("`insertPinned`", (setup, unused) -> setup.insertPinned()),
    PUT("`put`", (setup, unused) -> setup.put()),
    PUT_PINNED("`putPinned`", (setup, unused) -> setup.putPinned()),
    REPLACE("`compareAndReplace`", (setup, unused) -> setup.replace()),
    LOOKUP_LOADS("`lookup` that loads", (setup, unused) -> setup.lookupLoading(Setup.LOADER)),
    GET_LOADS("`get` that loads", (setup, unused) -> setup.getLoading(Setup.LOADER)),
    NEAR_FIRST("found near, first touch", Setup::findNear),
    NEAR_SECOND("found near, second touch", Setup::findNearTwice),
    NEAR_KEEPS("found near, which keeps it", Setup::findNear),
    DEEP_FIRST("found deep, first touch", Setup::findDeep),
    DEEP_SECOND("found deep, second touch", Setup::findDeepTwice),
    DEEP_KEEPS("found deep, which keeps it", Setup::findDeep);

    private final String row;
    private final BiConsumer<Setup, Boolean> enter;

    Way(String row, BiConsumer<Setup, Boolean> enter) {
      this.row = row;
      this.enter = enter;
    }
  }

  /** A near and a deep tier that accept everything. */
  private static final class Setup implements AutoCloseable {
    private static final BlockLoader<byte[]> LOADER = (hi, lo) -> TestValues.value(lo, 0, SIZE);

    final OfferLog near;
    final OfferLog deep;
    final TieredBlockCache<byte[]> cache;

    Setup(AdmissionPolicy policy, Way way) {
      near = new OfferLog("near", way != Way.NEAR_KEEPS);
      deep = new OfferLog("deep", way != Way.DEEP_KEEPS);
      cache =
          TieredBlockCache.builder(
                  BlockCache.<byte[]>builder()
                      .capacityBytes(CAPACITY)
                      .estimatedEntryCharge(SIZE / 4)
                      .metadataCharge(MetadataCharge.NONE)
                      .shards(1)
                      .recordHits(true))
              .tier(near)
              .tier(deep)
              .admission(policy)
              .executor(Runnable::run)
              .build();
    }

    private static byte[] value() {
      return TestValues.value(KEY, 0, SIZE);
    }

    void insert() {
      cache.insert(HI, KEY, value(), TYPE, SIZE, Priority.LOW);
    }

    void insertPinned() {
      cache.insertPinned(HI, KEY, value(), TYPE, SIZE, Priority.LOW).discard();
    }

    void put() {
      cache.put(HI, KEY, value(), TYPE, SIZE, Priority.LOW);
    }

    void putPinned() {
      cache.putPinned(HI, KEY, value(), TYPE, SIZE, Priority.LOW).discard();
    }

    void replace() {
      byte[] first = value();
      cache.insert(HI, KEY, first, TYPE, SIZE, Priority.LOW);
      offers();
      cache.compareAndReplace(HI, KEY, first, value(), TYPE, SIZE);
    }

    void lookupLoading(BlockLoader<byte[]> loader) {
      Handle<byte[]> handle = cache.lookup(HI, KEY, TYPE, null, loader);
      if (handle != null) {
        handle.discard();
      }
    }

    void getLoading(BlockLoader<byte[]> loader) {
      cache.get(HI, KEY, TYPE, null, loader);
    }

    void findNear(boolean started) {
      near.inner.insert(HI, KEY, value(), TYPE, true);
      find(started);
    }

    void findDeep(boolean started) {
      deep.inner.insert(HI, KEY, value(), TYPE, true);
      find(started);
    }

    void findNearTwice(boolean started) {
      findNear(started);
      offers();
      find(started);
    }

    void findDeepTwice(boolean started) {
      findDeep(started);
      near.inner.erase(HI, KEY);
      offers();
      find(started);
    }

    private void find(boolean started) {
      if (started) {
        try (AsyncLookup<byte[]> lookup = cache.startLookup(HI, KEY, TYPE)) {
          release(lookup.await());
        }
      } else {
        release(cache.lookup(HI, KEY, TYPE));
      }
    }

    private static void release(@Nullable Handle<byte[]> handle) {
      assertThat(handle).isNotNull();
      handle.close();
    }

    void hit() {
      Handle<?> handle = cache.primary().lookup(HI, KEY);
      if (handle != null) {
        handle.close();
      }
    }

    void evictAll() {
      cache.setCapacityBytes(1);
      cache.setCapacityBytes(CAPACITY);
    }

    List<String> offers() {
      List<String> all = new ArrayList<>(near.takeOffers());
      all.addAll(deep.takeOffers());
      return all;
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  private static String cell(AdmissionPolicy policy, Way way, boolean started) {
    try (Setup unused = new Setup(policy, way);
        Setup used = new Setup(policy, way)) {
      way.enter.accept(unused, started);
      way.enter.accept(used, started);
      List<String> atOnce = unused.offers();
      assertThat(used.offers()).isEqualTo(atOnce);
      unused.evictAll();
      used.hit();
      used.evictAll();
      return render(atOnce, unused.offers(), used.offers());
    }
  }

  private static String render(
      List<String> atOnce, List<String> evictedUnused, List<String> evictedUsed) {
    List<String> parts = new ArrayList<>();
    atOnce.forEach(offer -> parts.add("at once: " + offer));
    if (evictedUnused.equals(evictedUsed)) {
      evictedUnused.forEach(offer -> parts.add("evicted: " + offer));
    } else {
      assertThat(evictedUsed).hasSize(1).element(0).asString().endsWith(", forced");
      parts.add("evicted: " + evictedUsed.get(0) + " if hit");
      assertThat(evictedUnused).containsExactly(evictedUsed.get(0).replace(", forced", ""));
    }
    return parts.isEmpty() ? NOTHING : String.join("; ", parts);
  }

  private static String row(Way way, boolean started) {
    StringBuilder row = new StringBuilder("| " + way.row + " |");
    for (AdmissionPolicy policy : AdmissionPolicy.values()) {
      row.append(' ').append(cell(policy, way, started)).append(" |");
    }
    return row.toString();
  }

  @Test
  void theDocumentSaysWhatReachesTheTiers() throws IOException {
    List<String> measured = new ArrayList<>();
    for (Way way : Way.values()) {
      measured.add(row(way, false));
    }
    assertThat(Files.readAllLines(DOCUMENT)).containsSequence(measured);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aStartedLookupMovesWhatALookupMoves(Way way) {
    assertThat(row(way, true)).isEqualTo(row(way, false));
  }

  /** Every block is read once: without the tiers each of them would be gone. */
  @ParameterizedTest
  @EnumSource(
      value = AdmissionPolicy.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "ADAPTIVE") // Only while it does not pay to leave them.
  void everyLoadedBlockReachesATier(AdmissionPolicy policy) {
    try (Setup setup = new Setup(policy, Way.LOOKUP_LOADS)) {
      for (long key = 0; key < 1_000; key++) {
        if (key % 2 == 0) {
          setup.cache.lookup(HI, key, TYPE, null, Setup.LOADER).close();
        } else {
          setup.cache.get(HI, key, TYPE, null, Setup.LOADER);
        }
      }
      setup.evictAll();
      assertThat(setup.cache.stats().total().accepted()).isEqualTo(1_000);
      assertThat(setup.near.stats().entries() + setup.deep.stats().entries()).isEqualTo(1_000);
    }
  }

  @Test
  void whatIsNotCachedIsNotWrittenThrough() {
    try (Setup setup = new Setup(AdmissionPolicy.THREE_QUEUES, Way.LOOKUP_LOADS)) {
      setup.lookupLoading((hi, lo) -> null);
      assertThat(setup.offers()).isEmpty();
      assertThatThrownBy(
              () ->
                  setup.lookupLoading(
                      (hi, lo) -> {
                        throw new IOException("unreadable");
                      }))
          .isInstanceOf(BlockLoadException.class);
      assertThat(setup.offers()).isEmpty();
      setup.getLoading(
          (hi, lo) -> {
            setup.cache.erase(hi, lo);
            return TestValues.value(lo, 7, SIZE);
          });
      assertThat(setup.offers()).isEmpty();
      assertThat(setup.cache.get(HI, KEY, TYPE)).isNull();
      setup.lookupLoading(
          BlockLoader.of(
              TestValues.WITHOUT_CODEC, any -> SIZE, (hi, lo) -> TestValues.value(lo, 0, SIZE)));
      assertThat(setup.offers()).isEmpty();
    }
  }

  /** The load began before the put and ends after it: the tier gets what was put. */
  @Test
  void aLoadThatAPutOvertakesIsNotWrittenThrough() {
    try (Setup setup = new Setup(AdmissionPolicy.THREE_QUEUES, Way.LOOKUP_LOADS)) {
      setup.lookupLoading(
          (hi, lo) -> {
            setup.cache.put(hi, lo, TestValues.value(lo, 2, SIZE), TYPE, SIZE, Priority.LOW);
            return TestValues.value(lo, 1, SIZE);
          });
      setup.evictAll();
      byte[] found = setup.cache.get(HI, KEY, TYPE);
      assertThat(found).isNotNull();
      assertThat(TestValues.versionOf(KEY, found)).isEqualTo(2);
    }
  }
}
