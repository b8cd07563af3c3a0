/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.internal.handle.PinnedHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * How values come to their end, in every order of turns with few threads held up: each is freed
 * once, not while it is held, and what the cache says of itself stays exact.
 */
@Woven({"table", "capacity", "slot", "policy", "cache", "drops", "handle", "observe"})
class EndsInterleavingTest {
  private static final int PREEMPTIONS = Integer.getInteger("interleaving.preemptions", 1);
  private static final int RUNS = Integer.getInteger("interleaving.runs", 2_000) / 4;
  private static final long HI = 1;

  /** A value, and how often it was freed. */
  private static final class Value {
    private int disposals;
    private int uses;
    private int usesSeen;

    void use() {
      assertThat(disposals).as("disposals of what is held").isZero();
      uses++;
    }

    void dispose() {
      disposals++;
      usesSeen = uses;
    }
  }

  private static final EntryType<Value> TYPE =
      EntryType.<Value>named("freed").disposer((hi, lo, value) -> value.dispose()).build();

  /** A cache, and all values that it took. */
  private static final class Table {
    final BlockCache<Value> cache;
    final List<Value> values = new ArrayList<>();
    @Nullable Handle<Value> first;
    @Nullable Handle<Value> second;
    int freedByHolders;

    Table(int entries) {
      cache =
          BlockCache.<Value>builder()
              .capacityBytes(entries)
              .estimatedEntryCharge(entries)
              .shards(1)
              .replacementPolicy(ReplacementPolicy.CLASSIC)
              .metadataCharge(MetadataCharge.NONE)
              .hashSeed(HashSeed.fixed(7))
              .build();
    }

    Value value() {
      Value value = new Value();
      values.add(value);
      return value;
    }

    Table with(long lo) {
      cache.insert(HI, lo, value(), TYPE, 1, Priority.LOW);
      return this;
    }

    /** An entry with two holders. */
    Table withTwoHolders(boolean standalone) {
      first =
          standalone
              ? cache.createStandalone(HI, 1, value(), TYPE, 1, true)
              : cache.insertPinned(HI, 1, value(), TYPE, 1, Priority.LOW);
      second = first.ref();
      return this;
    }

    void check() {
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      cache.close();
      checkClosed();
    }

    void checkClosed() {
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      assertThat(values).allMatch(value -> value.disposals == 1);
      assertThat(values).allMatch(value -> value.usesSeen == value.uses);
    }
  }

  private static Part<Table> insert(long lo) {
    return table -> table.with(lo);
  }

  private static Part<Table> erase(long lo) {
    return table -> table.cache.erase(HI, lo);
  }

  private static Part<Table> hold(long lo) {
    return table -> {
      try (Handle<Value> handle = table.cache.lookup(HI, lo)) {
        if (handle != null) {
          handle.value().use();
        }
      }
    };
  }

  private interface Start {
    Table table();
  }

  @SafeVarargs
  private static void explore(Start start, Part<Table>... parts) {
    Scenario<Table> scenario = new Scenario<>("ends", start::table, Table::check, parts);
    scenario.explore(PREEMPTIONS);
    scenario.sample(RUNS, System.nanoTime());
  }

  private static Part<Table> letGo(boolean isFirst, boolean erases) {
    return table -> {
      Handle<Value> handle = isFirst ? table.first : table.second;
      handle.value().use();
      if (((PinnedHandle<Value>) handle).release(true, erases)) {
        table.freedByHolders++;
      }
    };
  }

  /** One of the two is the last. */
  @Test
  void holdersLetGoWithTheWishToErase() {
    new Scenario<>(
            "two holders",
            () -> new Table(2).withTwoHolders(false),
            table -> {
              assertThat(table.freedByHolders).isEqualTo(1);
              table.check();
            },
            letGo(true, true),
            letGo(false, true))
        .explore(PREEMPTIONS);
  }

  @Test
  void holdersOfWhatIsErased() {
    explore(
        () -> new Table(2).withTwoHolders(false),
        letGo(true, false),
        letGo(false, false),
        erase(1));
  }

  @Test
  void holdersOfAStandaloneEntry() {
    new Scenario<>(
            "standalone",
            () -> new Table(2).withTwoHolders(true),
            table -> {
              assertThat(table.freedByHolders).isEqualTo(1);
              assertThat(table.cache.monitor().usageBytes()).isZero();
              table.check();
            },
            letGo(true, false),
            letGo(false, false))
        .explore(2);
  }

  /** The slot may have another tenant when the holder has let go. */
  @Test
  void aHolderErasesWhileTheRoomIsWanted() {
    new Scenario<>(
            "reuse",
            () -> new Table(1).with(1),
            table -> {
              try (Handle<Value> found = table.cache.lookup(HI, 2)) {
                assertThat(found).as("the next tenant").isNotNull();
              }
              table.check();
            },
            table -> {
              Handle<Value> handle = table.cache.lookup(HI, 1);
              if (handle != null) {
                handle.value().use();
                handle.eraseIfLast();
              }
            },
            insert(2))
        .explore(2);
  }

  @Test
  void closing() {
    Part<Table> insertUnlessClosed =
        table -> {
          Value value = new Value();
          try {
            table.cache.insert(HI, 2, value, TYPE, 1, Priority.LOW);
            table.values.add(value);
          } catch (IllegalStateException e) {
            assertThat(value.disposals).isZero();
          }
        };
    new Scenario<>(
            "closing",
            () -> new Table(4).with(1),
            Table::checkClosed,
            table -> table.cache.close(),
            insertUnlessClosed)
        .explore(2);
  }

  @Test
  void visiting() {
    Part<Table> visit =
        table ->
            table
                .cache
                .monitor()
                .forEachEntry(
                    (hi, lo, value, type, charge) -> {
                      value.use();
                    });
    explore(() -> new Table(4).with(1).with(2), visit, erase(2), insert(3));
  }

  /** Of two inserts of a key one is given up, with all that it has counted. */
  @Test
  void insertsOfOneKey() {
    explore(() -> new Table(4), insert(1), insert(1));
    explore(() -> new Table(4), insert(1), insert(1), erase(1));
  }

  @Test
  void evictions() {
    explore(() -> new Table(1).with(1), insert(2), insert(3));
    explore(() -> new Table(1).with(1), insert(2), hold(1), insert(3));
    explore(() -> new Table(2).with(1).with(2), hold(1), hold(2), insert(3));
  }

  /** Whoever has seen the old capacity leaves too much; the next insert makes up for it. */
  @Test
  void shrinking() {
    new Scenario<>(
            "shrinking",
            () -> new Table(4).with(1).with(2),
            table -> {
              table.with(5);
              assertThat(table.cache.monitor().usageBytes()).isLessThanOrEqualTo(2);
              table.check();
            },
            table -> table.cache.setCapacityBytes(2),
            table -> table.with(3).with(4))
        .explore(PREEMPTIONS);
  }
}
