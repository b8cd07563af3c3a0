/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static io.hyperclock.internal.loading.BackedCache.HI;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.SwitchPoints;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.internal.loading.BackedCache.Page;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Loads among loads, writers and interrupts, with every order of turns in which few threads are
 * held up, at each access of what {@code internal.loading} shares. No thread waits for ever, no
 * page is freed twice or never, and none that was overwritten stays in the cache.
 */
@Tag("loading")
@Woven("loading")
class LoadInterleavingTest {
  /** Threads held up where two work together, and one less where three do. */
  private static final int PREEMPTIONS = 1 + Integer.getInteger("interleaving.preemptions", 1);

  private static final Part<BackedCache> GET = c -> c.get(1, c.collected());
  private static final Part<BackedCache> LOOKUP = c -> c.lookup(1, c.freed());
  private static final Part<BackedCache> OVERWRITE = c -> c.overwrite(1);
  private static final Part<BackedCache> PUT = c -> c.overwriteByPut(1);
  private static final Part<BackedCache> GET_LATER =
      c -> {
        c.getLater(1);
        c.work();
      };
  private static final Part<BackedCache> LOOKUP_LATER =
      c -> {
        c.lookupLater(1);
        c.work();
      };
  private static final Part<BackedCache> OVERWRITE_AND_GET =
      c -> {
        c.overwrite(1);
        c.get(1, c.collected());
      };
  private static final Part<BackedCache> OVERWRITE_AND_LOOKUP =
      c -> {
        c.overwrite(1);
        c.lookup(1, c.freed());
      };
  private static final Part<BackedCache> GET_STAGED = c -> c.getStaged(1);
  private static final Part<BackedCache> WORK = BackedCache::work;

  @SafeVarargs
  private static void explore(Part<BackedCache>... parts) {
    explore(preemptions(parts.length), parts);
  }

  @SafeVarargs
  private static void explore(int preemptions, Part<BackedCache>... parts) {
    explore(preemptions, BackedCache::close, parts);
  }

  /** Of threads of which none erases. */
  @SafeVarargs
  private static void exploreOneLoad(Part<BackedCache>... parts) {
    Consumer<BackedCache> check =
        cache -> {
          assertThat(cache.calls).as("calls of loaders").hasValue(1);
          cache.close();
        };
    explore(preemptions(parts.length), check, parts);
  }

  private static int preemptions(int threads) {
    return threads == 2 ? PREEMPTIONS : PREEMPTIONS - 1;
  }

  private static void explore(
      int preemptions, Consumer<BackedCache> check, Part<BackedCache>[] parts) {
    int runs = new Scenario<>("loads", BackedCache::new, check, parts).explore(preemptions);
    assertThat(runs).as("schedules").isGreaterThan(10);
  }

  @Test
  void oneLoadForAll() {
    exploreOneLoad(GET, GET);
    exploreOneLoad(LOOKUP, LOOKUP);
    exploreOneLoad(LOOKUP, LOOKUP, LOOKUP);
    exploreOneLoad(GET, GET_LATER, GET);
    exploreOneLoad(LOOKUP, LOOKUP_LATER);
    exploreOneLoad(GET_STAGED, GET_LATER, WORK);
  }

  @Test
  void loadAgainstWriter() {
    for (Part<BackedCache> writer : List.of(OVERWRITE, PUT)) {
      explore(GET, writer);
      explore(LOOKUP, writer);
      explore(GET_LATER, writer);
      explore(LOOKUP_LATER, writer);
      explore(GET, GET, writer);
      explore(LOOKUP, LOOKUP, writer);
      explore(GET_LATER, GET, writer);
      explore(GET_STAGED, WORK, writer);
    }
    explore(PREEMPTIONS, c -> c.getLater(1), GET, OVERWRITE);
    explore(GET, OVERWRITE_AND_GET);
    explore(LOOKUP, OVERWRITE_AND_LOOKUP);
  }

  @Test
  @Woven({"loading", "cache", "handle", "observe"})
  void insertAgainstErase() {
    Part<BackedCache> overwriteInALoader =
        c ->
            c.get(
                2,
                (hi, lo) -> {
                  c.overwrite(1);
                  return c.collected().load(hi, lo);
                });
    for (Part<BackedCache> load : List.of(GET, LOOKUP, GET_LATER)) {
      explore(load, OVERWRITE);
      explore(load, overwriteInALoader);
    }
  }

  @Test
  void aWaiterIsInterrupted() {
    for (boolean pins : new boolean[] {false, true}) {
      Part<BackedCache> leader = pins ? LOOKUP : GET;
      explore(
          PREEMPTIONS,
          leader,
          c -> {
            c.waiting = Thread.currentThread();
            try {
              leader.run(c);
            } catch (BlockLoadException e) {
              assertThat(e).hasCauseInstanceOf(InterruptedException.class);
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
          },
          c -> {
            SwitchPoints.access();
            Thread waiting = c.waiting;
            if (waiting != null) {
              SwitchPoints.interrupt(waiting);
            }
          });
    }
  }

  @Test
  void theCacheIsClosed() {
    for (Part<BackedCache> load : List.of(GET, LOOKUP)) {
      Part<BackedCache> unlessClosed =
          c -> {
            try {
              load.run(c);
            } catch (IllegalStateException e) {
              assertThat(e).hasMessageContaining("closed");
            }
          };
      explore(unlessClosed, BackedCache::closeEarly);
      explore(unlessClosed, unlessClosed, BackedCache::closeEarly);
    }
  }

  @Test
  void loadsOfManyKeys() {
    Part<BackedCache> both = c -> c.getAll(1, 2);
    explore(both, c -> c.getAll(2, 1));
    explore(both, GET);
    explore(both, OVERWRITE);
    explore(both, GET_LATER);
    explore(both, c -> c.getAll(2, 1), OVERWRITE);
    explore(both, c -> c.getAll(2, 3), c -> c.getAll(3, 1));
    explore(both, GET_LATER, OVERWRITE);
  }

  /** A loader of one key that asks for another. */
  private static Part<BackedCache> nested(long key, long other) {
    return c -> c.get(key, asking(c, other));
  }

  private static BlockLoader<Page> asking(BackedCache c, long other) {
    return (hi, lo) -> {
      Page inner = c.cache.get(HI, other, c.collected());
      assertThat(inner.lo).isEqualTo(other);
      return c.collected().load(hi, lo);
    };
  }

  @Test
  void circlesOfLoads() {
    explore(nested(1, 2), nested(2, 1));
    explore(nested(1, 2), nested(2, 3), nested(3, 1));
    explore(nested(1, 2), c -> c.getAll(2, 1));
    explore(nested(1, 2), GET_LATER);
    Part<BackedCache> nestedBatch =
        c ->
            c.get(
                1,
                (hi, lo) -> {
                  c.getAll(2, 3);
                  return c.collected().load(hi, lo);
                });
    explore(nestedBatch, nested(2, 1));
    explore(nestedBatch, nested(2, 3), nested(3, 1));
  }
}
