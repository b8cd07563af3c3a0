/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.interleaving.Interleavings;
import io.hyperclock.interleaving.Operation;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.PrepareResult;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.PreparedVersion;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.Versions;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Operations on keys with two versions, in many orders of turns: what they return, and what is
 * there afterwards, must be what some order of whole operations gives. Turns change at accesses of
 * slots, prepared versions, groups, leases and counters.
 */
@Tag("versioned")
@Woven({"versioned", "slot"})
class VersionedInterleavingTest {
  private static final long HI = 1;
  private static final long KEY = 1;
  private static final long OTHER = 2;

  /** Schedules for each group of operations: 4,000 take about a second. */
  private static final int RUNS = Integer.getInteger("interleaving.runs", 2_000);

  private static final int PREEMPTIONS = Integer.getInteger("interleaving.preemptions", 1);
  private static final int GROUPS = 60;

  /** A cache with the prepares that its threads decide. */
  private static final class Subject {
    final VersionedCache<Object> cache;
    final PrepareGroup group;
    PrepareToken pending;
    PrepareToken pendingOfOther;

    Subject() {
      cache =
          new DefaultVersionedCache<>(
              new VersionedConfig(
                  10,
                  1,
                  CapacityMode.NON_STRICT,
                  1,
                  MetadataCharge.NONE,
                  SlotStorage.HEAP,
                  ReplacementPolicy.CLASSIC,
                  HashSeed.fixed(7),
                  1,
                  Duration.ofDays(1),
                  () -> 0,
                  1,
                  (hi, lo) -> 0));
      group = cache.newGroup();
    }

    Subject with(Object committed) {
      cache.put(HI, KEY, committed, 1);
      return this;
    }

    Subject preparing(Object value, PrepareMode mode) {
      pending = cache.prepare(HI, KEY, value, value == null ? 0 : 1, mode).orThrow();
      return this;
    }

    Subject grouped() {
      cache.put(HI, OTHER, "a", 1);
      pending = cache.prepare(HI, KEY, "p", 1, PrepareMode.PLAIN, group).orThrow();
      pendingOfOther = cache.prepare(HI, OTHER, "p", 1, PrepareMode.PLAIN, group).orThrow();
      return this;
    }

    String close() {
      assertThat(VersionedInvariants.violations(cache)).isEmpty();
      return text(cache, KEY)
          + ","
          + text(cache, OTHER)
          + " prepares "
          + cache.monitor().stats().prepares();
    }
  }

  private static String text(VersionedCache<Object> cache, long lo) {
    Versions<Object> versions = cache.readVersions(HI, lo);
    PreparedVersion<Object> prepared = versions.prepared();
    return versions.committed()
        + (prepared == null ? "" : "/" + prepared.value() + " " + prepared.mode());
  }

  private static Operation<Subject> operation(
      String name, BiFunction<VersionedCache<Object>, Subject, Object> call) {
    return new Operation<>(
        name,
        subject -> {
          try {
            Object answer = call.apply(subject.cache, subject);
            return answer == null ? "nothing" : answer;
          } catch (InDoubtException e) {
            return "in doubt";
          }
        });
  }

  private static Operation<Subject> get(long lo) {
    return operation("get " + lo, (cache, subject) -> cache.get(HI, lo));
  }

  private static final Operation<Subject> GET = get(KEY);
  private static final Operation<Subject> FIND_FOR_WRITE =
      operation("find for write", (cache, subject) -> cache.readForWrite(HI, KEY));
  private static final Operation<Subject> FIND_FOR_UPDATE =
      operation("find for update", (cache, subject) -> text(cache, KEY));
  private static final Operation<Subject> ERASE =
      operation("erase", (cache, subject) -> cache.erase(HI, KEY));
  private static final Operation<Subject> COMMIT =
      operation("commit", (cache, subject) -> cache.commit(subject.pending));
  private static final Operation<Subject> ABORT =
      operation("abort", (cache, subject) -> cache.abort(subject.pending));

  /** Threads that decide the same wait for each other, so one of a group may decide. */
  private static final List<Operation<Subject>> DECISIONS = List.of(COMMIT, ABORT);

  private static final Operation<Subject> MARK_IN_DOUBT =
      operation(
          "mark in doubt",
          (cache, subject) -> {
            cache.markInDoubt((hi, lo) -> lo == KEY);
            return "done";
          });
  private static final Operation<Subject> COMMIT_GROUP =
      operation("commit group", (cache, subject) -> subject.group.commit());
  private static final Operation<Subject> ABORT_GROUP =
      operation("abort group", (cache, subject) -> subject.group.abort());

  private static final Operation<Subject> PREPARE_IN_GROUP =
      operation(
          "prepare in group",
          (cache, subject) ->
              cache.prepare(HI, KEY, "q", 1, PrepareMode.PLAIN, subject.group).outcome());

  private static Operation<Subject> put(Object value) {
    return operation("put " + value, (cache, subject) -> cache.put(HI, KEY, value, 1));
  }

  private static Operation<Subject> insert(Object value) {
    return operation("insert " + value, (cache, subject) -> cache.insert(HI, KEY, value, 1));
  }

  private static Operation<Subject> replace(Object value) {
    return operation("replace by " + value, (cache, subject) -> cache.replace(HI, KEY, value, 1));
  }

  private static Operation<Subject> prepare(Object value, PrepareMode mode) {
    return operation(
        "prepare " + value + " " + mode,
        (cache, subject) -> cache.prepare(HI, KEY, value, 1, mode).outcome());
  }

  /** Prepares, and commits that if it could. */
  private static List<Operation<Subject>> prepareAndCommit(Object value) {
    PrepareToken[] own = new PrepareToken[1];
    return List.of(
        operation(
            "prepare " + value,
            (cache, subject) -> {
              PrepareResult result = cache.prepare(HI, KEY, value, 1, PrepareMode.PLAIN);
              own[0] = result.token();
              return result.outcome();
            }),
        operation(
            "commit own",
            (cache, subject) ->
                own[0] == null ? PrepareOutcome.IN_PROGRESS : cache.commit(own[0])));
  }

  private final long seed = Long.getLong("interleaving.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  private Interleavings<Subject> from(UnaryOperator<Subject> setUp) {
    return Interleavings.ofWovenCode(() -> setUp.apply(new Subject()), Subject::close, seed);
  }

  /** Instead of prepares: one that has not returned may be left out by a mark. */
  private boolean marks;

  private final Interleavings<Subject> empty = from(subject -> subject);
  private final Interleavings<Subject> committed = from(subject -> subject.with("a"));
  private final Interleavings<Subject> preparedAlone =
      from(subject -> subject.preparing("p", PrepareMode.PLAIN));
  private final Interleavings<Subject> aloneInDoubt =
      from(subject -> subject.preparing("p", PrepareMode.IN_DOUBT));
  private final Interleavings<Subject> deleteAlone =
      from(subject -> subject.preparing(null, PrepareMode.PLAIN));
  private final Interleavings<Subject> groupedAlone = from(Subject::grouped);
  private final Interleavings<Subject> both =
      from(subject -> subject.with("a").preparing("p", PrepareMode.PLAIN));
  private final Interleavings<Subject> preparedDelete =
      from(subject -> subject.with("a").preparing(null, PrepareMode.PLAIN));
  private final Interleavings<Subject> inDoubt =
      from(subject -> subject.with("a").preparing("p", PrepareMode.IN_DOUBT));
  private final Interleavings<Subject> grouped = from(subject -> subject.with("a").grouped());

  @Test
  void decisionsAmongReads() {
    for (Interleavings<Subject> start : List.of(preparedAlone, both, preparedDelete, inDoubt)) {
      start.sample(
          RUNS, List.of(List.of(COMMIT, ABORT), List.of(GET, FIND_FOR_UPDATE), List.of(GET, GET)));
      start.sample(
          RUNS,
          List.of(
              List.of(COMMIT), List.of(FIND_FOR_UPDATE, GET), List.of(GET, FIND_FOR_WRITE, GET)));
      start.sample(
          RUNS,
          List.of(
              List.of(ABORT),
              List.of(FIND_FOR_UPDATE, GET),
              List.of(MARK_IN_DOUBT, FIND_FOR_WRITE)));
      start.sample(
          RUNS, List.of(List.of(COMMIT, put("b")), List.of(GET, GET), List.of(MARK_IN_DOUBT)));
    }
  }

  @Test
  void committedValueComesInBesideAPrepare() {
    List<Operation<Subject>> decisions = List.of(COMMIT, ABORT);
    for (Interleavings<Subject> start : List.of(preparedAlone, aloneInDoubt, deleteAlone)) {
      for (Operation<Subject> decision : decisions) {
        start.sample(
            RUNS,
            List.of(List.of(decision), List.of(insert("c"), GET), List.of(GET, FIND_FOR_UPDATE)));
        start.sample(
            RUNS,
            List.of(
                List.of(decision, insert("d")),
                List.of(insert("c"), ERASE),
                List.of(MARK_IN_DOUBT, GET)));
        start.explore(PREEMPTIONS, List.of(List.of(decision), List.of(insert("c"))));
      }
      start.sample(
          RUNS, List.of(List.of(insert("c")), List.of(insert("d")), List.of(GET, FIND_FOR_UPDATE)));
    }
    groupedAlone.sample(
        RUNS, List.of(List.of(COMMIT_GROUP), List.of(insert("c"), GET), List.of(GET, get(OTHER))));
    groupedAlone.sample(
        RUNS, List.of(List.of(ABORT_GROUP), List.of(insert("c"), GET), List.of(GET, insert("d"))));
  }

  @Test
  void decisionOfAGroupIsOneStep() {
    grouped.sample(
        RUNS, List.of(List.of(COMMIT_GROUP), List.of(get(KEY), get(OTHER)), List.of(GET)));
    grouped.sample(
        RUNS,
        List.of(List.of(ABORT_GROUP), List.of(get(OTHER), get(KEY)), List.of(FIND_FOR_UPDATE)));
    grouped.sample(
        RUNS, List.of(List.of(COMMIT_GROUP), List.of(put("b"), get(OTHER)), List.of(ERASE, GET)));
  }

  /** No prepare takes the place of another one of its group, which has to be decided for that. */
  @Test
  void groupThatIsDecidedTakesNoPrepare() {
    for (Interleavings<Subject> start : List.of(grouped, groupedAlone)) {
      start.explore(PREEMPTIONS, List.of(List.of(ABORT_GROUP), List.of(PREPARE_IN_GROUP)));
      start.sample(
          RUNS, List.of(List.of(ABORT_GROUP), List.of(PREPARE_IN_GROUP), List.of(ERASE, GET)));
    }
  }

  @Test
  void writersOfOneKey() {
    for (Interleavings<Subject> start : List.of(empty, committed)) {
      start.sample(RUNS, List.of(prepareAndCommit("p"), prepareAndCommit("q"), List.of(GET, GET)));
      start.sample(
          RUNS, List.of(prepareAndCommit("p"), List.of(put("b")), List.of(ERASE, FIND_FOR_WRITE)));
    }
  }

  @Test
  void aPrepareFollowsADecision() {
    List<Operation<Subject>> next = List.of(prepare("q", PrepareMode.PLAIN));
    for (Operation<Subject> decision : DECISIONS) {
      for (Interleavings<Subject> start : List.of(preparedAlone, both, preparedDelete, inDoubt)) {
        start.explore(PREEMPTIONS, List.of(List.of(decision), next));
      }
    }
  }

  @Test
  void everyTwoHeldUp() {
    List<Operation<Subject>> all =
        List.of(GET, FIND_FOR_UPDATE, put("b"), ERASE, COMMIT, ABORT, MARK_IN_DOUBT);
    for (int i = 0; i < all.size(); i++) {
      for (int j = i; j < all.size(); j++) {
        if (!DECISIONS.contains(all.get(i)) || !DECISIONS.contains(all.get(j))) {
          both.explore(PREEMPTIONS, List.of(List.of(all.get(i)), List.of(all.get(j))));
        }
      }
    }
  }

  @Test
  void anyFew() {
    List<Interleavings<Subject>> undecided = List.of(preparedAlone, both, preparedDelete, inDoubt);
    for (int i = 0; i < GROUPS; i++) {
      marks = random.nextBoolean();
      Operation<Subject> decision = DECISIONS.get(random.nextInt(2));
      undecided.get(i % undecided.size()).sample(RUNS / 20, some(decision));
      (i % 2 == 0 ? empty : committed).sample(RUNS / 20, some(any()));
    }
  }

  private List<List<Operation<Subject>>> some(Operation<Subject> first) {
    return List.of(List.of(first, any()), List.of(any()), List.of(any()));
  }

  private Operation<Subject> any() {
    String value = "" + (char) ('b' + random.nextInt(20));
    switch (random.nextInt(10)) {
      case 9:
        return insert(value);
      case 0:
        return put(value);
      case 1:
        return replace(value);
      case 2:
        return marks ? MARK_IN_DOUBT : prepare(value, PrepareMode.PLAIN);
      case 3:
        return marks ? GET : prepare(value, PrepareMode.IN_DOUBT);
      case 4:
        return ERASE;
      case 5:
        return FIND_FOR_UPDATE;
      case 6:
        return FIND_FOR_WRITE;
      case 7:
        return FIND_FOR_UPDATE;
      default:
        return GET;
    }
  }
}
