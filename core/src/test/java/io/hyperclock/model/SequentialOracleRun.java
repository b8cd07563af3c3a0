/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.PinRequiredException;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.cache.InvariantsChecker;
import io.hyperclock.model.MapOracle.Entry;
import io.hyperclock.stats.CacheStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** One run of {@link SequentialOracleTest}: a cache, a map and what was offered to both. */
final class SequentialOracleRun {
  private static final long CAPACITY = 1 << 26;

  private record Held(Handle<Entry> handle, Entry entry) {}

  private record Eviction(Entry entry, long chargeBytes, boolean wasHit) {}

  private final MapOracle oracle = new MapOracle();
  private final SplittableRandom random;
  private final List<EntryType<Entry>> types = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final List<Eviction> evictions = new ArrayList<>();
  private final List<Entry> offered = new ArrayList<>();
  private final BlockCache<Entry> cache;
  private final long emptyBytes;
  private final int keys;

  SequentialOracleRun(
      SlotStorage storage,
      CapacityMode mode,
      MetadataCharge metadata,
      int shards,
      int keys,
      long seed) {
    this.keys = keys;
    random = new SplittableRandom(seed);
    for (EntryRole role : List.of(EntryRole.DATA_BLOCK, EntryRole.INDEX_BLOCK)) {
      types.add(EntryType.<Entry>named("freed-" + role).role(role).disposer(this::free).build());
      types.add(EntryType.<Entry>named("collected-" + role).role(role).build());
    }
    cache =
        BlockCache.<Entry>builder()
            .capacityBytes(CAPACITY)
            .estimatedEntryCharge(2000)
            .capacityMode(mode)
            .shards(shards)
            .metadataCharge(metadata)
            .storage(storage)
            .hashSeed(HashSeed.fixed(seed))
            .recordHits(true)
            .defaultType(types.get(1))
            .evictionListener(
                (hi, lo, entry, type, charge, wasHit) -> {
                  assertThat(entry.key).isEqualTo(new Key128(hi, lo));
                  assertThat(type).isSameAs(entry.type);
                  evictions.add(new Eviction(entry, charge, wasHit));
                  return false;
                })
            .build();
    emptyBytes = cache.monitor().usageBytes();
    assertThat(cache.monitor().stats().metadataBytes()).isEqualTo(emptyBytes);
    assertThat(emptyBytes > 0).isEqualTo(metadata == MetadataCharge.FULL);
  }

  private void free(long hi, long lo, Entry entry) {
    assertThat(entry.key).isEqualTo(new Key128(hi, lo));
    entry.disposals++;
  }

  private Key128 key(int number) {
    return new Key128(number % 3 == 0 ? number : -number, number / 2);
  }

  private EntryType<Entry> type(Key128 key) {
    return types.get((int) Math.floorMod(key.hi() + key.lo(), (long) types.size()));
  }

  private boolean isCollected(Key128 key) {
    return type(key).disposer() == null;
  }

  void step(String when) {
    Key128 key = key(random.nextInt(keys));
    int dice = random.nextInt(100);
    String what;
    if (dice < 20) {
      what = lookup(when, key);
    } else if (dice < 35) {
      what = get(when, key);
    } else if (dice < 40) {
      what = batch(when);
    } else if (dice < 60) {
      what = insert(when, key);
    } else if (dice < 68) {
      what = insertPinned(when, key);
    } else if (dice < 70) {
      what = createStandalone(key);
    } else if (dice < 78) {
      assertThat(cache.erase(key.hi(), key.lo())).as(when).isEqualTo(oracle.erase(key));
      what = "erase";
    } else if (dice < 81) {
      what = adjust(when);
    } else if (dice < 83) {
      what = ref();
    } else if (random.nextInt(400) == 0) {
      cache.eraseUnreferenced();
      oracle.removeUnpinned(0);
      what = "eraseUnreferenced";
    } else {
      what = release(when);
    }
    check(when + " " + what);
  }

  private void check(String when) {
    if (cache.monitor().usageBytes() != emptyBytes + oracle.usageBytes()
        || cache.monitor().occupancy() != oracle.occupancy()) {
      assertThat(cache.monitor().usageBytes()).as(when).isEqualTo(emptyBytes + oracle.usageBytes());
      assertThat(cache.monitor().occupancy()).as(when).isEqualTo(oracle.occupancy());
    }
    if (random.nextInt(1000) == 0) {
      checkAll(when);
    }
  }

  private void checkAll(String when) {
    CacheStats stats = cache.monitor().stats();
    assertThat(cache.monitor().pinnedUsageBytes()).as(when).isEqualTo(oracle.pinnedBytes());
    assertThat(stats.pinnedUsageBytes()).as(when).isEqualTo(oracle.pinnedBytes());
    assertThat(stats.standaloneUsageBytes()).as(when).isEqualTo(oracle.standaloneBytes());
    assertThat(stats.hits()).as(when + " hits").isEqualTo(oracle.hits);
    assertThat(stats.misses()).as(when + " misses").isEqualTo(oracle.misses);
    assertThat(stats.inserts()).as(when + " inserts").isEqualTo(oracle.inserts);
    assertThat(stats.keptExisting()).as(when + " kept").isEqualTo(oracle.keptExisting);
    assertThat(stats.dropped() + stats.refused() + stats.evictions()).as(when).isZero();
    stats
        .roles()
        .forEach((role, of) -> assertThat(of.entries()).as(when).isEqualTo(oracle.entriesOf(role)));
    Map<Key128, Entry> visited = new HashMap<>();
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, entry, type, charge) -> {
              assertThat(visited.put(new Key128(hi, lo), entry))
                  .as(when + " visited twice")
                  .isNull();
              assertThat(charge).as(when + " charge").isEqualTo(entry.charge);
            });
    assertThat(visited).as(when).isEqualTo(oracle.visible);
    assertThat(offered).as(when).allMatch(e -> e.disposals == e.expectedDisposals);
    offered.removeIf(entry -> entry.disposals > 0);
    assertThat(InvariantsChecker.violations(cache)).as(when).isEmpty();
  }

  private String lookup(String when, Key128 key) {
    Handle<Entry> handle = cache.lookup(key.hi(), key.lo());
    found(when, handle, oracle.read(key));
    return "lookup";
  }

  private void found(String when, Handle<Entry> handle, Entry expected) {
    assertThat(handle == null ? null : handle.value()).as(when).isSameAs(expected);
    if (handle != null) {
      hold(when, handle, expected);
    }
  }

  private void hold(String when, Handle<Entry> handle, Entry entry) {
    assertThat(handle.value()).as(when).isSameAs(entry);
    assertThat(new Key128(handle.keyHi(), handle.keyLo())).as(when).isEqualTo(entry.key);
    assertThat(handle.chargeBytes()).as(when).isEqualTo(entry.charge);
    assertThat(handle.type()).as(when).isSameAs(entry.type);
    assertThat(handle.isStandalone()).as(when).isEqualTo(entry.standalone);
    entry.pins++;
    held.add(new Held(handle, entry));
  }

  private String get(String when, Key128 key) {
    boolean peek = random.nextBoolean();
    if (oracle.visible.containsKey(key) && !isCollected(key)) {
      assertThatThrownBy(() -> pinFree(peek, key)).isInstanceOf(PinRequiredException.class);
      oracle.hits = cache.monitor().stats().hits();
      oracle.misses = cache.monitor().stats().misses();
      oracle.visible.get(key).boosted = true;
    } else {
      Entry expected = peek ? oracle.visible.get(key) : oracle.read(key);
      assertThat(pinFree(peek, key)).as(when).isSameAs(expected);
    }
    return peek ? "peek" : "get";
  }

  private Entry pinFree(boolean peek, Key128 key) {
    return peek ? cache.peek(key.hi(), key.lo()) : cache.get(key.hi(), key.lo());
  }

  private String batch(String when) {
    boolean pinFree = random.nextBoolean();
    List<Key128> wanted = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      Key128 key = key(random.nextInt(keys));
      if (!pinFree || isCollected(key)) {
        wanted.add(key);
      }
    }
    long[] words = wanted.stream().flatMapToLong(SequentialOracleRun::words).toArray();
    List<Entry> expected = wanted.stream().map(oracle::read).toList();
    long found = wanted.stream().filter(oracle.visible::containsKey).count();
    if (pinFree) {
      Entry[] values = new Entry[wanted.size()];
      assertThat(cache.getAll(words, values)).as(when).isEqualTo((int) found);
      assertThat(values).as(when).containsExactly(expected.toArray(new Entry[0]));
      return "getAll";
    }
    @SuppressWarnings("unchecked")
    Handle<Entry>[] handles = (Handle<Entry>[]) new Handle<?>[wanted.size()];
    assertThat(cache.lookupAll(words, handles)).as(when).isEqualTo((int) found);
    for (int i = 0; i < handles.length; i++) {
      found(when, handles[i], expected.get(i));
    }
    return "lookupAll";
  }

  private static LongStream words(Key128 key) {
    return LongStream.of(key.hi(), key.lo());
  }

  private Entry offer(Key128 key, boolean standalone) {
    Entry entry = new Entry(key, type(key), charge(), standalone);
    offered.add(entry);
    return entry;
  }

  private long charge() {
    return random.nextInt(20) == 0 ? 0 : random.nextLong(10, 3000);
  }

  private Priority priority() {
    return Priority.values()[random.nextInt(3)];
  }

  private String insert(String when, Key128 key) {
    Entry entry = offer(key, false);
    boolean byDefault = type(key) == types.get(1) && random.nextBoolean();
    InsertResult result =
        byDefault
            ? cache.insert(key.hi(), key.lo(), entry, entry.charge)
            : cache.insert(key.hi(), key.lo(), entry, entry.type, entry.charge, priority());
    boolean stored = oracle.insert(entry);
    assertThat(result)
        .as(when)
        .isEqualTo(stored ? InsertResult.INSERTED : InsertResult.KEPT_EXISTING);
    if (!stored) {
      entry.free();
      assertThat(entry.disposals).as(when).isEqualTo(entry.expectedDisposals);
    }
    return "insert";
  }

  private String insertPinned(String when, Key128 key) {
    Entry entry = offer(key, oracle.visible.containsKey(key));
    Handle<Entry> handle =
        cache.insertPinned(key.hi(), key.lo(), entry, entry.type, entry.charge, priority());
    hold(when, handle, entry);
    if (!oracle.insert(entry)) {
      oracle.addStandalone(entry);
    }
    return "insertPinned";
  }

  private String createStandalone(Key128 key) {
    Entry entry = offer(key, true);
    Handle<Entry> handle =
        cache.createStandalone(
            key.hi(), key.lo(), entry, entry.type, entry.charge, random.nextBoolean());
    assertThat(handle).isNotNull();
    hold("createStandalone", handle, entry);
    oracle.addStandalone(entry);
    return "createStandalone";
  }

  private String adjust(String when) {
    if (!held.isEmpty()) {
      Held any = held.get(random.nextInt(held.size()));
      long charge = charge();
      assertThat(any.handle().adjustCharge(charge)).as(when).isTrue();
      any.entry().charge = charge;
      assertThat(any.handle().chargeBytes()).as(when).isEqualTo(charge);
    }
    return "adjustCharge";
  }

  private String ref() {
    if (!held.isEmpty()) {
      Held any = held.get(random.nextInt(held.size()));
      hold("ref", any.handle().ref(), any.entry());
    }
    return "ref";
  }

  private String release(String when) {
    for (int i = random.nextInt(6); i > 0 && !held.isEmpty(); i--) {
      Held any = held.remove(random.nextInt(held.size()));
      boolean eraseIfLast = random.nextInt(5) == 0;
      boolean frees = oracle.release(any.entry(), eraseIfLast);
      if (eraseIfLast) {
        assertThat(any.handle().eraseIfLast()).as(when).isEqualTo(frees);
      } else if (random.nextBoolean()) {
        assertThat(any.handle().discard()).as(when).isEqualTo(frees);
      } else {
        any.handle().close();
      }
      assertThat(any.handle().isReleased()).as(when).isTrue();
    }
    return "release";
  }

  /** Leaves room for nothing that is not pinned: each such entry must be evicted once. */
  void shrink(String when) {
    checkAll(when);
    cache.setCapacityBytes(Math.max(1, emptyBytes));
    List<Entry> must = oracle.removeUnpinned(1);
    List<Entry> told = evictions.stream().map(Eviction::entry).toList();
    assertThat(told).as(when).containsAll(must).doesNotHaveDuplicates();
    assertThat(told.stream().filter(entry -> entry.charge > 0)).as(when).hasSameSizeAs(must);
    told.stream().filter(entry -> entry.visible).forEach(entry -> oracle.erase(entry.key));
    assertThat(cache.monitor().usageBytes()).as(when).isEqualTo(emptyBytes + oracle.usageBytes());
    assertThat(cache.monitor().occupancy()).as(when).isEqualTo(oracle.occupancy());
    assertThat(cache.monitor().stats().evictions()).as(when).isEqualTo(evictions.size());
    for (Eviction eviction : evictions) {
      Entry entry = eviction.entry();
      assertThat(eviction.chargeBytes()).as(when).isEqualTo(entry.charge);
      if (entry.read || !entry.boosted) {
        assertThat(eviction.wasHit()).as(when + " " + entry + " hit").isEqualTo(entry.read);
      }
    }
  }

  void close() {
    cache.close();
    oracle.close();
    for (Held open : held) {
      assertThat(open.handle().value()).isSameAs(open.entry());
      assertThat(open.handle().discard()).isEqualTo(oracle.release(open.entry(), false));
    }
    assertThat(offered).allMatch(entry -> entry.disposals == entry.expectedDisposals);
  }
}
