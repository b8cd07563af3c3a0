/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.EvictionRequest;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All decisions of one thread under workloads that reach each part of the search: which entries
 * leave, in which order, how many slots were looked at, what was learnt. A change that is to leave
 * the decisions alone leaves the records alone; one that is to change them is judged by the replays
 * of traces, and records anew.
 */
class RecordedDecisionsTest {
  private static final int ENTRIES = 300;
  private static final int SLOTS = 432;
  private static final int STEPS = 30_000;

  /** What happens, and a record of what the policy made of it. */
  enum Workload {
    /** Few keys come often. */
    FREQUENT(0x6588bb5c84a00aa6L) {
      @Override
      void step(int i) {
        use(skewed(10 * ENTRIES));
      }
    },
    /** A range too large comes again and again, between keys that come once. */
    LOOPS(0xa7584c685c4fc319L) {
      @Override
      void step(int i) {
        use(i % 3 == 0 ? 1_000_000 + i : i % (5 * ENTRIES / 4));
      }
    },
    /** Recent keys come again, others never, in turns. */
    PHASES(0xf77421a844b51013L) {
      @Override
      void step(int i) {
        boolean scan = (i / 3000 & 1) != 0;
        use(scan ? 1_000_000 + i : i / 8 + random.nextInt(ENTRIES));
      }
    },
    /** Charges differ, and now and then one is as large as a part of the table. */
    SIZES(0x6dcab2633e344514L) {
      @Override
      void step(int i) {
        long key = skewed(10 * ENTRIES);
        use(key, key % 500 == 7 ? 40 * 64 : 1 + key % 64);
      }

      @Override
      PolicyTable newTable() {
        return new PolicyTable(SLOTS, ENTRIES, 32L * ENTRIES);
      }
    },
    /** Some entries are held for a while. */
    HELD(0xa494b70fd31e99deL) {
      @Override
      void step(int i) {
        use(skewed(10 * ENTRIES));
        if (i % 16 == 0) {
          if (held >= 0) {
            table.release(held);
          }
          held = skewed(10 * ENTRIES);
          use(held);
          table.hold(held);
        }
      }
    },
    /** Entries die, one by one and many at once. */
    DEATHS(0xf4231b8b022695eL) {
      @Override
      void step(int i) {
        use(skewed(10 * ENTRIES));
        if (i % 50 == 0) {
          kill(skewed(ENTRIES));
        }
        if (i % 2000 == 0) {
          for (int key = 0; key < ENTRIES; key += 3) {
            kill(key);
          }
        }
      }
    },
    /** Two inserts at a time: each has a ring of its own. */
    TWO_RINGS(0x8c8ae1bb829d9474L) {
      @Override
      void step(int i) {
        EvictionRequest first = table.requests.begin(1);
        use(skewed(10 * ENTRIES));
        first.end();
        if (i % 5000 < 4000) {
          use(skewed(10 * ENTRIES));
        }
      }
    },
    /** Entries are used while a search looks at them. */
    OVERTAKEN(0x251a97bcefd3c035L) {
      @Override
      void step(int i) {
        if (i == 0) {
          table.before = this::useAnother;
        }
        use(skewed(10 * ENTRIES));
      }

      private void useAnother() {
        if (++accesses % 7 == 0) {
          Runnable again = table.before;
          table.before = () -> {};
          table.slots.tick(random.nextInt(SLOTS));
          table.before = again;
        }
      }
    },
    /** In a table of many slots, keys that mostly never come again. */
    NEVER_AGAIN(0x2c7097b8fe82c889L) {
      @Override
      PolicyTable newTable() {
        return new PolicyTable(2048, 1400);
      }

      @Override
      void step(int i) {
        use(i % 64 == 0 ? skewed(2000) : 1_000_000 + i);
      }
    };

    final long recorded;
    PolicyTable table;
    SplittableRandom random;
    long held;
    long accesses;

    Workload(long recorded) {
      this.recorded = recorded;
    }

    abstract void step(int i);

    PolicyTable newTable() {
      return new PolicyTable(SLOTS, ENTRIES);
    }

    long skewed(int keys) {
      double u = random.nextDouble();
      return (long) (u * u * u * keys);
    }

    void use(long key) {
      use(key, 1);
    }

    void use(long key, long charge) {
      if (!table.use(key)) {
        Priority priority =
            key % 97 == 0 ? Priority.HIGH : key % 89 == 0 ? Priority.BOTTOM : Priority.LOW;
        table.insert(key, priority, charge);
      }
    }

    void kill(long key) {
      if (table.slotOf.containsKey(key)) {
        table.kill(key);
      }
    }

    long digest() {
      table = newTable();
      random = new SplittableRandom(7);
      held = -1;
      accesses = 0;
      for (int i = 0; i < STEPS; i++) {
        step(i);
      }
      table.before = () -> {};
      assertThat(PolicyInvariants.violations(table.clock)).isEmpty();
      return table.digest();
    }
  }

  @ParameterizedTest
  @EnumSource
  void decisionsAreThoseOfTheRecord(Workload workload) {
    assertThat(Long.toHexString(workload.digest())).isEqualTo(Long.toHexString(workload.recorded));
  }
}
