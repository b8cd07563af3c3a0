/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.PreparedVersion;
import io.hyperclock.versioned.VersionedStats;
import io.hyperclock.versioned.Versions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A whole operation of a key at each moment of another one, between any two accesses of slots and
 * readings of the clock: both have results, and leave the key, as if one had come after the other,
 * or one had been refused because of the other.
 */
@Tag("versioned")
@Timeout(600)
class VersionedMomentsTest {
  private static final long HI = 3;
  private static final long LO = 4;
  private static final String REFUSED = "IN_PROGRESS";

  /** What the key has before. */
  private enum Setup {
    ABSENT,
    PRESENT,
    PREPARED,
    PREPARED_ALONE,
    IN_DOUBT,
    IN_DOUBT_ALONE,
    IN_GROUP,
    IN_GROUP_ALONE
  }

  /** One operation. */
  private enum Operation {
    GET,
    FIND_FOR_WRITE,
    FIND_FOR_UPDATE,
    PUT,
    INSERT,
    REPLACE,
    ERASE,
    PREPARE,
    PREPARE_IN_DOUBT,
    COMMIT,
    ABORT,
    /** Two, of which each may be refused; within one that adds the key. */
    COME_AND_GO,
    /** What is erased is not found, whoever still holds it; not an outer one. */
    ERASE_AND_FIND;

    boolean adds() {
      return this == PUT || this == INSERT || this == PREPARE || this == PREPARE_IN_DOUBT;
    }

    boolean decides() {
      return this == COMMIT || this == ABORT;
    }

    /** Who decides waits for another who writes the verdict down. */
    boolean mayBeWithin(Operation outer) {
      return this == COME_AND_GO ? outer.adds() : !decides() || !outer.decides();
    }
  }

  /** A cache with one key, and a moment at which something happens. */
  private static final class Scene {
    private @Nullable PrepareToken token;
    private @Nullable PrepareGroup group;
    private final Moment moment = new Moment();

    final DefaultVersionedCache<String> cache =
        new DefaultVersionedCache<>(
            StrictConfig.of(this::clock), slots -> new CountingSlotStore(slots, moment::access));

    Scene(Setup setup) {
      switch (setup) {
        case PRESENT, PREPARED, IN_DOUBT, IN_GROUP -> cache.put(HI, LO, "c", 10);
        default -> {}
      }
      switch (setup) {
        case PREPARED, PREPARED_ALONE -> token = prepare(PrepareMode.PLAIN, null);
        case IN_DOUBT, IN_DOUBT_ALONE -> token = prepare(PrepareMode.IN_DOUBT, null);
        case IN_GROUP, IN_GROUP_ALONE -> {
          group = cache.newGroup();
          prepare(PrepareMode.PLAIN, group);
        }
        default -> {}
      }
    }

    private PrepareToken prepare(PrepareMode mode, @Nullable PrepareGroup group) {
      return group == null
          ? cache.prepare(HI, LO, "p", 20, mode).orThrow()
          : cache.prepare(HI, LO, "p", 20, mode, group).orThrow();
    }

    private long clock() {
      moment.access();
      return 0;
    }

    String run(Operation operation) {
      try {
        return String.valueOf(
            switch (operation) {
              case GET -> cache.get(HI, LO);
              case FIND_FOR_WRITE -> cache.readForWrite(HI, LO);
              case FIND_FOR_UPDATE -> text(cache.readVersions(HI, LO));
              case PUT -> cache.put(HI, LO, "v", 30);
              case INSERT -> cache.insert(HI, LO, "w", 40);
              case REPLACE -> cache.replace(HI, LO, "x", 50);
              case ERASE -> cache.erase(HI, LO);
              case PREPARE -> cache.prepare(HI, LO, "q", 60, PrepareMode.PLAIN).outcome();
              case PREPARE_IN_DOUBT ->
                  cache.prepare(HI, LO, "r", 70, PrepareMode.IN_DOUBT).outcome();
              case COMMIT ->
                  group != null ? group.commit() : token == null ? "" : cache.commit(token);
              case ERASE_AND_FIND -> cache.erase(HI, LO) + " " + cache.readForWrite(HI, LO);
              case COME_AND_GO -> cache.put(HI, LO, "v", 30) + " " + cache.erase(HI, LO);
              case ABORT -> group != null ? group.abort() : token == null ? "" : cache.abort(token);
            });
      } catch (InDoubtException e) {
        return "in doubt";
      }
    }

    private static String text(Versions<String> versions) {
      PreparedVersion<String> prepared = versions.prepared();
      return versions.committed()
          + (prepared == null ? "" : " " + prepared.value() + " " + prepared.mode());
    }

    /** Both results and what is left. */
    String told(String first, String second) {
      moment.cancel();
      assertThat(VersionedInvariants.violations(cache)).isEmpty();
      VersionedStats stats = cache.monitor().stats();
      return String.join(
          ", ",
          first,
          second,
          run(Operation.FIND_FOR_UPDATE),
          run(Operation.GET),
          "usage " + stats.usageBytes(),
          "items " + stats.items(),
          "prepares " + stats.prepares(),
          "in doubt " + stats.inDoubt(),
          "commits " + stats.commits(),
          "aborts " + stats.aborts());
    }
  }

  /** What one after the other tells, or one if the other was refused. */
  private static List<String> inTurn(
      Setup setup, Operation outer, Operation inner, boolean outerRefused, boolean innerRefused) {
    List<String> told = new ArrayList<>();
    Scene outerFirst = new Scene(setup);
    String outerResult = outerFirst.run(outer);
    told.add(outerFirst.told(outerResult, outerFirst.run(inner)));
    Scene innerFirst = new Scene(setup);
    String innerResult = innerFirst.run(inner);
    told.add(innerFirst.told(innerFirst.run(outer), innerResult));
    if (outerRefused) {
      Scene alone = new Scene(setup);
      told.add(alone.told(REFUSED, alone.run(inner)));
    }
    if (innerRefused) {
      Scene alone = new Scene(setup);
      told.add(alone.told(alone.run(outer), REFUSED));
    }
    return told;
  }

  @ParameterizedTest
  @EnumSource(Setup.class)
  void anOperationWithinAnotherComesBeforeOrAfterIt(Setup setup) {
    int moments = 0;
    for (Operation outer : Operation.values()) {
      for (Operation inner : Operation.values()) {
        if (outer.ordinal() < Operation.COME_AND_GO.ordinal() && inner.mayBeWithin(outer)) {
          moments += atEachMoment(setup, outer, inner);
        }
      }
    }
    assertThat(moments).isGreaterThan(500);
  }

  /** Returns how many there were. */
  private static int atEachMoment(Setup setup, Operation outer, Operation inner) {
    for (int moment = 0; ; moment++) {
      Scene scene = new Scene(setup);
      String[] results = new String[2];
      scene.moment.at(moment, () -> results[1] = scene.run(inner));
      results[0] = scene.run(outer);
      if (results[1] == null) {
        return moment;
      }
      String told = scene.told(results[0], results[1]);
      if (isRefusedInPart(results[1])) {
        continue;
      }
      assertThat(
              inTurn(setup, outer, inner, REFUSED.equals(results[0]), REFUSED.equals(results[1])))
          .as("%s at moment %s of %s", inner, moment, outer)
          .contains(told);
    }
  }

  private static boolean isRefusedInPart(String result) {
    return result.contains(" ") && result.contains(REFUSED);
  }
}
