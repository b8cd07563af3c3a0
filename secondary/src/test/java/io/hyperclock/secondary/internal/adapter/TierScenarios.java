/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static io.hyperclock.secondary.internal.adapter.TierScenario.KEY;
import static io.hyperclock.secondary.internal.adapter.TierScenario.OTHER;

import io.hyperclock.faults.FaultScenario;
import io.hyperclock.secondary.AdmissionPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What moves values up and down, and what overtakes it. */
public final class TierScenarios {
  private final Map<String, Supplier<FaultScenario>> all = new LinkedHashMap<>();

  private final boolean losesUnheard;
  private final boolean awaited;

  private TierScenarios(boolean losesUnheard, boolean awaited) {
    this.losesUnheard = losesUnheard;
    this.awaited = awaited;
  }

  /**
   * The same, with a thread that waits for all lookups afterwards: one that has no stack to be told
   * of an answer leaves it to those that wait.
   */
  public static final class Awaited {
    private Awaited() {}

    /** Scenarios by name. */
    public static Map<String, Supplier<FaultScenario>> all(boolean losesUnheard) {
      return scenarios(losesUnheard, true);
    }
  }

  /**
   * Scenarios by name.
   *
   * @param losesUnheard whether there may be no memory at all to be told of an answer
   */
  public static Map<String, Supplier<FaultScenario>> all(boolean losesUnheard) {
    return scenarios(losesUnheard, false);
  }

  private static Map<String, Supplier<FaultScenario>> scenarios(
      boolean losesUnheard, boolean awaited) {
    TierScenarios made = new TierScenarios(losesUnheard, awaited);
    made.reads();
    made.moves();
    made.writes();
    made.closes();
    made.expiries();
    made.writesOverExpired();
    made.writesThrough();
    return made.all;
  }

  private void add(String name, TierScenario.Step arrange, TierScenario.Step act) {
    add(name, AdmissionPolicy.ALL, arrange, act);
  }

  private void add(
      String name, AdmissionPolicy policy, TierScenario.Step arrange, TierScenario.Step act) {
    all.put(name, () -> new TierScenario(losesUnheard, awaited, policy, arrange, act));
  }

  private static final TierScenario.Step NOTHING = it -> {};
  private static final TierScenario.Step HELD_NEAR = it -> it.hold(it.near, KEY);
  private static final TierScenario.Step HELD_DEEP = it -> it.hold(it.deep, KEY);
  private static final TierScenario.Step BOTH_HELD =
      it -> {
        it.hold(it.near, OTHER);
        it.hold(it.deep, KEY);
      };
  private static final TierScenario.Step QUEUED = it -> it.evict(KEY);
  private static final TierScenario.Step READ =
      it -> {
        it.hold(it.near, KEY);
        it.letAnswersWait();
        it.start(null);
      };
  private static final TierScenario.Step READ_DEEP =
      it -> {
        it.hold(it.deep, KEY);
        it.letAnswersWait();
        it.start(null);
      };

  private void reads() {
    add("lookup that misses", NOTHING, TierScenario::lookup);
    add("first touch", HELD_NEAR, TierScenario::lookup);
    add("first touch, closed", HELD_NEAR, TierScenario::lookupAndClose);
    add(
        "second touch",
        it -> {
          it.hold(it.near, KEY);
          it.lookupAndClose();
        },
        TierScenario::lookup);
    add("value that its tier keeps", HELD_DEEP, TierScenario::lookup);
    add(
        "lookup that is answered later",
        BOTH_HELD,
        it -> {
          it.letAnswersWait();
          it.start(null);
          it.answerAll();
        });
    add("answer", READ, TierScenario::answerAll);
    add("answer of the second tier", READ_DEEP, TierScenario::answerAll);
    add(
        "lookup that joins",
        READ,
        it -> {
          it.start(null);
          it.answerAll();
        });
    add(
        "lookup with another context",
        READ,
        it -> {
          it.start("another");
          it.answerAll();
        });
    add("lookup that is put back", QUEUED, TierScenario::lookup);
    add("batch", BOTH_HELD, TierScenario::startAll);
    add(
        "batch that is answered later",
        BOTH_HELD,
        it -> {
          it.letAnswersWait();
          it.startAll();
          it.answerAll();
        });
    add(
        "batch, one of it put back",
        it -> {
          it.hold(it.near, OTHER);
          it.evict(KEY);
        },
        TierScenario::startAll);
    add(
        "wait that helps",
        it -> {
          it.hold(it.near, KEY);
          it.hold(it.near, OTHER);
          it.letAnswersWait();
          it.startAll();
        },
        TierScenario::waitAll);
    add("lookup that is given up", READ, it -> it.lookups.get(0).close());
  }

  private void moves() {
    add("eviction", NOTHING, it -> it.evict(KEY));
    add("move", QUEUED, TierScenario::runTasks);
    add(
        "move to the second tier",
        it -> {
          it.near.accepts = false;
          it.evict(KEY);
        },
        TierScenario::runTasks);
    add(
        "move that no tier takes",
        it -> {
          it.near.accepts = false;
          it.deep.accepts = false;
          it.evict(KEY);
        },
        TierScenario::runTasks);
    add(
        "moves",
        it -> {
          it.evict(KEY);
          it.evict(OTHER);
        },
        TierScenario::runTasks);
    add(
        "drop",
        NOTHING,
        it -> {
          it.drop();
          it.runTasks();
        });
    add(
        "lookup while its value moves",
        QUEUED,
        it -> {
          it.near.onInsert = () -> it.start(null);
          it.runTasks();
        });
  }

  private void writes() {
    writes("write", TierScenario::write);
    writes("erase", TierScenario::erase);
    add("load", NOTHING, TierScenario::load);
    add("load over a queued offer", QUEUED, TierScenario::load);
    add("load over a read", READ, TierScenario::load);
  }

  private void writes(String name, TierScenario.Step write) {
    add(name, NOTHING, write);
    add(name + " over a copy", HELD_NEAR, write);
    add(name + " over a copy that its tier keeps", HELD_DEEP, write);
    add(name + " over a queued offer", QUEUED, write);
    add(
        name + " over an offer that moves",
        QUEUED,
        it -> {
          it.near.onInsert = () -> write.run(it);
          it.runTasks();
        });
    add(name + " over a read", READ, write);
    add(
        name + " over a read that is answered then",
        READ_DEEP,
        it -> {
          write.run(it);
          it.answerAll();
        });
  }

  private void writesThrough() {
    through("write through", NOTHING, TierScenario::write);
    through("write through over a copy", HELD_DEEP, TierScenario::write);
    through("load through", NOTHING, TierScenario::load);
    through("value found deep, offered to the tier above", HELD_DEEP, TierScenario::lookup);
    through("erase over a write through", TierScenario::write, TierScenario::erase);
    through(
        "write over a write through that moves",
        it -> {
          it.write();
          it.deep.onInsert = it::write;
        },
        it -> {});
  }

  private void through(String name, TierScenario.Step arrange, TierScenario.Step act) {
    add(
        name,
        AdmissionPolicy.THREE_QUEUES,
        arrange,
        it -> {
          act.run(it);
          it.runTasks();
        });
  }

  private void closes() {
    add("close", NOTHING, TierScenario::close);
    add("close with an offer", QUEUED, TierScenario::close);
    add("close with a read", READ, TierScenario::close);
    add(
        "close with an offer that moves",
        QUEUED,
        it -> {
          it.near.onInsert = it::close;
          it.runTasks();
        });
  }

  /** The timer finds that the nearer tier, or the move, takes too long. */
  private static final TierScenario.Step EXPIRE =
      it -> {
        it.letLimitPass();
        it.parts.expiry.expire();
      };

  private static final TierScenario.Step EXPIRE_IN_BOTH =
      it -> {
        EXPIRE.run(it);
        EXPIRE.run(it);
      };

  /** The nearer tier does not answer. */
  private static final TierScenario.Step HANGING =
      it -> {
        it.holdInBoth();
        it.near.waits = true;
        it.start(null);
      };

  private static final TierScenario.Step HANGING_JOINED =
      it -> {
        HANGING.run(it);
        it.start(null);
      };

  private static final TierScenario.Step BATCH_HANGING =
      it -> {
        BOTH_HELD.run(it);
        it.letAnswersWait();
        it.startAll();
      };

  private static TierScenario.Step both(TierScenario.Step first, TierScenario.Step second) {
    return it -> {
      first.run(it);
      second.run(it);
    };
  }

  private void expiries() {
    expiries("read", HANGING);
    expiries("read that another has joined", HANGING_JOINED);
    expiries("read beside one with another context", both(HANGING, it -> it.start("another")));
    add("read that expires in both tiers", READ_DEEP, EXPIRE_IN_BOTH);
    add("batch that expires", BATCH_HANGING, EXPIRE);
    add("batch that expires in both tiers", BATCH_HANGING, EXPIRE_IN_BOTH);
    add(
        "batch that expires, answered then",
        both(BATCH_HANGING, EXPIRE_IN_BOTH),
        TierScenario::answerAll);
    add(
        "lookup while its value moves, for too long",
        QUEUED,
        both(moving(EXPIRE), TierScenario::runTasks));
    add("close with a read that has expired", both(HANGING, EXPIRE), TierScenario::close);
    add(
        "close with a read that expires",
        both(READ_DEEP, EXPIRE),
        both(TierScenario::close, TierScenario::answerAll));
  }

  /** Noticed by the timer or by a thread that waits, and the answer that comes afterwards. */
  private void expiries(String name, TierScenario.Step hanging) {
    TierScenario.Step waited =
        it -> {
          it.letLimitPass();
          PendingLookup.awaitAll(it.lookups, Duration.ofSeconds(10));
        };
    add(name + ", expires", hanging, EXPIRE);
    add(name + ", expires while a thread waits", hanging, waited);
    add(name + ", answered after it has expired", both(hanging, EXPIRE), TierScenario::answerAll);
    add(name + ", answered as it expires", hanging, both(EXPIRE, TierScenario::answerAll));
    add(
        name + ", answered to a thread that waits after the limit",
        hanging,
        it -> {
          it.letLimitPass();
          it.waitAll();
        });
  }

  /** A lookup begins within the next insert; what follows it does too. */
  private static TierScenario.Step moving(TierScenario.Step then) {
    return it ->
        it.near.onInsert =
            () -> {
              it.start(null);
              then.run(it);
            };
  }

  private void writesOverExpired() {
    writesOverExpired("write", TierScenario::write);
    writesOverExpired("erase", TierScenario::erase);
    writesOverExpired("load", TierScenario::load);
  }

  private void writesOverExpired(String name, TierScenario.Step write) {
    TierScenario.Step answered = both(write, TierScenario::answerAll);
    add(name + " over a read that has expired", both(HANGING, EXPIRE), answered);
    add(name + " over a read that expires", both(READ_DEEP, EXPIRE), answered);
    add(
        name + " over a read that expires then",
        HANGING,
        both(write, both(EXPIRE, TierScenario::answerAll)));
    add(
        name + " over a move that a lookup waited for",
        QUEUED,
        both(moving(both(EXPIRE, write)), TierScenario::runTasks));
  }
}
