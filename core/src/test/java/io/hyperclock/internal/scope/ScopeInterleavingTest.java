/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.SwitchPoints;
import io.hyperclock.interleaving.Woven;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Scopes that open and end while values retire, in many orders of turns. A value is freed once, and
 * not while a scope may show it; when all scopes have ended none is left, whoever had to free it.
 */
@Tag("scope")
@Woven({"scope", "slot"})
class ScopeInterleavingTest {
  private static final int PREEMPTIONS = Integer.getInteger("interleaving.preemptions", 1);
  private static final int RUNS = Integer.getInteger("interleaving.runs", 2_000);

  private final long seed = Long.getLong("interleaving.seed", System.nanoTime());

  /** Values in one place, of which each gives way to the next. */
  private static final class Place {
    final ReadEpochs epochs = new ReadEpochs(1);
    final Reclaimer reclaimer = new Reclaimer(epochs, () -> {});
    final Queue<Value> values = new ConcurrentLinkedQueue<>();
    final AtomicReference<Value> shown = new AtomicReference<>(new Value(this, null));

    /** Reads the value that is shown, in a scope. */
    void read() {
      int cell = reclaimer.enter();
      assertThat(cell).isNotNegative();
      SwitchPoints.access();
      Value value = shown.get();
      SwitchPoints.access();
      assertThat(value.freed).as("freed in a scope").hasValue(0);
      Scopes.exit(reclaimer, cell);
    }

    void replace(@Nullable Value next) {
      SwitchPoints.access();
      end(shown.getAndSet(next == null ? new Value(this, null) : next));
    }

    /** Since when the oldest value that is retired by now waits; this moment if there is none. */
    private long oldest() {
      long oldest = System.nanoTime();
      for (Value value : values) {
        if (value.retired && value.freed.get() == 0 && value.since - oldest < 0) {
          oldest = value.since;
        }
      }
      return oldest;
    }

    void lookAtWait() {
      long oldest = oldest();
      long told = reclaimer.stuckNanos();
      assertThat(told).as("wait").isBetween(0L, System.nanoTime() - oldest);
    }

    void end(Value value) {
      value.since = System.nanoTime();
      value.retired = true;
      if (reclaimer.mustRetire()) {
        reclaimer.retire(value);
      } else {
        value.free();
      }
    }

    void close() {
      assertThat(reclaimer.openScopes()).isZero();
      assertThat(reclaimer.retiredValues()).isZero();
      assertThat(reclaimer.retiredBytes()).isZero();
      assertThat(reclaimer.stuckNanos()).isZero();
      assertThat(shown.get().freed).hasValue(0);
      values.remove(shown.get());
      assertThat(values).allSatisfy(value -> assertThat(value.freed).hasValue(1));
      // Nothing that was left behind keeps the epoch from moving.
      assertThat(epochs.tryAdvance() && epochs.tryAdvance()).isTrue();
    }
  }

  private static final class Value extends RetiredValue {
    final AtomicInteger freed = new AtomicInteger();
    private final Place place;
    private final @Nullable Value inside;
    private long since;

    /** Published with the time. */
    private volatile boolean retired;

    /** A value that ends another one when it is freed, or null. */
    Value(Place place, @Nullable Value inside) {
      super(3);
      this.place = place;
      this.inside = inside;
      place.values.add(this);
    }

    @Override
    public void free() {
      freed.incrementAndGet();
      if (inside != null) {
        place.end(inside);
      }
    }
  }

  private static final Part<Place> READ = Place::read;
  private static final Part<Place> READ_TWICE =
      place -> {
        place.read();
        place.read();
      };
  private static final Part<Place> REPLACE = place -> place.replace(null);
  private static final Part<Place> REPLACE_TWICE =
      place -> {
        place.replace(null);
        place.replace(null);
      };
  private static final Part<Place> REPLACE_NESTED =
      place -> {
        place.replace(new Value(place, new Value(place, null)));
        place.replace(null);
      };

  @SafeVarargs
  private static Scenario<Place> of(Part<Place>... parts) {
    return new Scenario<>("scopes", Place::new, Place::close, parts);
  }

  @Test
  void oneReaderAndOneWriter() {
    for (Part<Place> writer : List.of(REPLACE, REPLACE_TWICE, REPLACE_NESTED)) {
      of(READ, writer).explore(PREEMPTIONS + 1);
      of(READ_TWICE, writer).explore(PREEMPTIONS);
    }
  }

  @Test
  void manyReadersAndWriters() {
    of(READ, READ, REPLACE).explore(PREEMPTIONS);
    of(READ, REPLACE, REPLACE).explore(PREEMPTIONS);
    of(READ_TWICE, READ, REPLACE_TWICE).sample(RUNS, seed);
    of(READ_TWICE, REPLACE_TWICE, REPLACE).sample(RUNS, seed);
    of(READ_TWICE, READ_TWICE, REPLACE_NESTED, REPLACE_TWICE).sample(RUNS, seed);
  }

  /** What is told of a wait may be too short by what threads are held up, and never too long. */
  @Test
  void noWaitIsToldThatWasNot() {
    Part<Place> looks = Place::lookAtWait;
    Part<Place> looksTwice =
        place -> {
          place.lookAtWait();
          place.lookAtWait();
        };
    of(looks, READ, REPLACE).explore(PREEMPTIONS);
    of(looks, REPLACE, REPLACE).explore(PREEMPTIONS);
    of(looksTwice, READ, REPLACE_TWICE).sample(RUNS, seed);
    of(looksTwice, READ_TWICE, REPLACE, REPLACE_TWICE).sample(RUNS, seed);
    int[] open = {0};
    Supplier<Place> start =
        () -> {
          Place place = new Place();
          open[0] = place.reclaimer.enter();
          return place;
        };
    Consumer<Place> check =
        place -> {
          // The wait goes on, whoever was held up while it began.
          long since = System.nanoTime();
          place.lookAtWait();
          long least = System.nanoTime() - since;
          assertThat(place.reclaimer.stuckNanos()).as("told").isGreaterThanOrEqualTo(least);
          place.lookAtWait();
          Scopes.exit(place.reclaimer, open[0]);
          place.close();
        };
    Part<Place> exitsAndReplaces =
        place -> {
          int next = place.reclaimer.enter();
          Scopes.exit(place.reclaimer, open[0]);
          open[0] = next;
          place.replace(null);
        };
    new Scenario<>("waits", start, check, looks, REPLACE).explore(PREEMPTIONS + 1);
    new Scenario<>("waits", start, check, looks, REPLACE, REPLACE).explore(PREEMPTIONS);
    new Scenario<>("waits", start, check, looks, exitsAndReplaces).explore(PREEMPTIONS + 1);
    new Scenario<>("waits", start, check, looks, exitsAndReplaces, REPLACE).explore(PREEMPTIONS);
  }

  /** Two at once would take what has retired meanwhile for what retired long ago. */
  @Test
  void onePassAtATime() {
    int[] first = {0};
    Supplier<Place> start =
        () -> {
          Place place = new Place();
          first[0] = place.reclaimer.enter();
          place.replace(null);
          assertThat(place.reclaimer.retiredValues()).isEqualTo(1);
          return place;
        };
    Part<Place> lastExit = place -> Scopes.exit(place.reclaimer, first[0]);
    for (int rounds = 0; rounds < 4; rounds++) {
      int more = rounds;
      Part<Place> passesAndReads =
          place -> {
            place.reclaimer.reclaim();
            place.reclaimer.reclaim();
            for (int i = 0; i < more; i++) {
              int before = place.reclaimer.enter();
              place.replace(null);
              Scopes.exit(place.reclaimer, before);
            }
            int cell = place.reclaimer.enter();
            Value value = place.shown.get();
            place.replace(null);
            SwitchPoints.onSpinWait();
            assertThat(value.freed).as("freed in a scope").hasValue(0);
            Scopes.exit(place.reclaimer, cell);
          };
      new Scenario<>("passes", start, Place::close, lastExit, passesAndReads)
          .explore(PREEMPTIONS + 1);
    }
  }

  /** Two that take from the stack of what may be freed: each value goes to one of them. */
  @Test
  void eachValueIsTakenByOneThread() {
    int[] open = {0};
    Supplier<Place> start =
        () -> {
          Place place = new Place();
          open[0] = place.reclaimer.enter();
          place.replace(null);
          place.replace(null);
          assertThat(place.reclaimer.retiredValues()).isEqualTo(2);
          return place;
        };
    Part<Place> lastExit = place -> Scopes.exit(place.reclaimer, open[0]);
    Part<Place> takes = place -> place.reclaimer.freeTaken();
    new Scenario<>("takers", start, Place::close, lastExit, takes).explore(PREEMPTIONS + 1);
  }

  @Test
  void twoRetireWhileAScopeIsOpen() {
    int[] open = {0};
    Supplier<Place> start =
        () -> {
          Place place = new Place();
          open[0] = place.reclaimer.enter();
          return place;
        };
    Consumer<Place> check =
        place -> {
          Scopes.exit(place.reclaimer, open[0]);
          place.close();
        };
    new Scenario<>("retirements", start, check, REPLACE, REPLACE).explore(PREEMPTIONS + 1);
  }

  /** The epoch moves by three between the look at it and the push, and may not move on then. */
  @Test
  void aValueComesLateIntoItsList() {
    Part<Place> retires =
        place -> place.reclaimer.retire(place.shown.getAndSet(new Value(place, null)));
    Part<Place> moves =
        place -> {
          place.reclaimer.reclaim();
          int cell = place.reclaimer.enter();
          place.reclaimer.reclaim();
          SwitchPoints.access();
          Scopes.exit(place.reclaimer, cell);
        };
    of(retires, moves).explore(PREEMPTIONS + 1);
  }

  @Test
  void whoeverOpensAScopeTriesUntilTheEpochStays() {
    Part<Place> moves = place -> place.epochs.tryAdvance();
    of(Place::read, moves, moves).explore(PREEMPTIONS + 1);
  }

  @Test
  void theEpochMovesOnceWhileAScopeIsOpen() {
    Part<ReadEpochs> scope =
        epochs -> {
          int cell = epochs.tryEnter(1);
          if (cell == ReadEpochs.MOVED) {
            return;
          }
          long since = epochs.epoch();
          SwitchPoints.onSpinWait();
          assertThat(epochs.epoch()).as("epoch").isLessThanOrEqualTo(since + 1);
          epochs.exit(cell);
        };
    AtomicInteger moved = new AtomicInteger();
    Part<ReadEpochs> moves =
        epochs -> {
          for (int i = 0; i < 4; i++) {
            moved.addAndGet(epochs.tryAdvance() ? 1 : 0);
          }
        };
    long first = new ReadEpochs(1).epoch();
    Consumer<ReadEpochs> check =
        epochs -> {
          assertThat(epochs.open()).isZero();
          assertThat(epochs.epoch() - first).as("moves").isEqualTo(moved.getAndSet(0));
        };
    new Scenario<>("epochs", () -> new ReadEpochs(1), check, scope, moves).explore(PREEMPTIONS + 1);
    new Scenario<>("epochs", () -> new ReadEpochs(1), check, scope, moves, moves)
        .explore(PREEMPTIONS);
    new Scenario<>("epochs", () -> new ReadEpochs(1), check, scope, scope, moves)
        .explore(PREEMPTIONS);
  }
}
