/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.EvictionRequest;
import java.util.ArrayDeque;
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
    FREQUENT(0xf884ca639afd7097L) {
      @Override
      void step(int i) {
        use(skewed(10 * ENTRIES));
      }
    },
    /** A range too large comes again and again, between keys that come once. */
    LOOPS(0x7a46baf4cb9da48fL) {
      @Override
      void step(int i) {
        use(i % 3 == 0 ? 1_000_000 + i : i % (5 * ENTRIES / 4));
      }
    },
    /** Recent keys come again, others never, in turns. */
    PHASES(0x7541ce75b114ef79L) {
      @Override
      void step(int i) {
        boolean scan = (i / 3000 & 1) != 0;
        use(scan ? 1_000_000 + i : i / 8 + random.nextInt(ENTRIES));
      }
    },
    /** Charges differ, and now and then one is as large as a part of the table. */
    SIZES(0xe058a9187e02d976L) {
      @Override
      void step(int i) {
        long key = skewed(10 * ENTRIES);
        use(key, key % 500 == 7 ? 40 * 64 : key % 50 == 8 ? 64 + key % 192 : 1 + key % 64);
      }

      @Override
      PolicyTable newTable() {
        return new PolicyTable(SLOTS, ENTRIES, 32L * ENTRIES);
      }
    },
    /** Some entries are held for a while. */
    HELD(0x61f06addf23e44a8L) {
      private long held;

      @Override
      void begin() {
        held = -1;
      }

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
    DEATHS(0x235dc7774664efa6L) {
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
    TWO_RINGS(0xb97ae12a5177861L) {
      @Override
      void step(int i) {
        EvictionRequest first = table.begin(1);
        use(skewed(10 * ENTRIES));
        first.end();
        if (i % 5000 < 4000) {
          use(skewed(10 * ENTRIES));
        }
      }
    },
    /** Entries are used while a search looks at them, or is about to take them. */
    OVERTAKEN(0xd15f5cba7a6f0342L) {
      @Override
      void begin() {
        table.before = every(7, () -> table.slots.tick(random.nextInt(SLOTS)));
        overtake();
      }

      @Override
      void step(int i) {
        use(skewed(10 * ENTRIES));
      }
    },
    /** Entries are erased or die while they are held, and are used when they are about to leave. */
    ERASED(0x3f58045fafdd77d7L) {
      private final ArrayDeque<Long> held = new ArrayDeque<>();

      @Override
      PolicyTable newTable() {
        return new PolicyTable(SLOTS, ENTRIES, 20L * ENTRIES);
      }

      @Override
      void begin() {
        held.clear();
        overtake();
      }

      @Override
      void step(int i) {
        long key = skewed(10 * ENTRIES);
        use(key, key % 97 == 5 ? 300 : 1 + key % 32);
        if (i % 8 == 0 && !held.contains(key) && table.isVisible(key)) {
          table.hold(key);
          held.add(key);
          if (i % 24 == 0) {
            table.hide(key);
          } else if (i % 24 == 8) {
            table.kill(key);
          }
        }
        if (held.size() > 50) {
          table.release(held.remove());
        }
      }
    },
    /** Requests are not kept: nothing is left for the next search. */
    UNKEPT(0x3b1fd2ca224b3fe6L) {
      @Override
      void step(int i) {
        long key = skewed(10 * ENTRIES);
        if (!table.use(key)) {
          if (i % 4 == 0) {
            use(key);
          } else {
            table.insert(key, Priority.LOW, 1, new EvictionRequest(1));
          }
        }
      }
    },
    /** Most entries are tiny, so that many are on probation. */
    TINY(0xce7829099e428026L) {
      @Override
      PolicyTable newTable() {
        return new PolicyTable(SLOTS, ENTRIES, 12L * ENTRIES);
      }

      @Override
      void step(int i) {
        long key = skewed(10 * ENTRIES);
        use(key, key % 10 == 0 ? 100 : 1);
      }
    },
    /** Entries are so large that slots take next to nothing. */
    LARGE(0xaf8b5454f4541090L) {
      @Override
      PolicyTable newTable() {
        return new PolicyTable(SLOTS, ENTRIES, (long) ENTRIES << 21);
      }

      @Override
      void step(int i) {
        long key = skewed(10 * ENTRIES);
        use(key, key % 50 == 7 ? 5L << 23 : 1 + key % 64 << 16);
      }
    },
    /** The capacity changes, and much leaves at once while all is in use. */
    RESIZED(0x914f6d7d69c588f7L) {
      @Override
      void step(int i) {
        use(skewed(10 * ENTRIES));
        if (i % 1000 == 0) {
          table.slotOf.keySet().forEach(table::use);
          EvictionRequest request = table.begin(0);
          table.free(i % 3000 == 0 ? 60 : 4, request);
          table.clock.flush(request);
          request.end();
          table.capacity = i % 4000 == 0 ? ENTRIES : ENTRIES / 2 + random.nextInt(ENTRIES / 2);
        }
      }
    },
    /** In a table of many slots, keys that mostly never come again. */
    NEVER_AGAIN(0x1944c68f10e28377L) {
      @Override
      PolicyTable newTable() {
        return new PolicyTable(3200, 2200);
      }

      @Override
      void step(int i) {
        use(i % 64 == 0 ? skewed(4000) : 1_000_000 + i);
      }
    };

    final long recorded;
    PolicyTable table;
    SplittableRandom random;

    Workload(long recorded) {
      this.recorded = recorded;
    }

    abstract void step(int i);

    void begin() {}

    /** Every third entry is used when it is about to be taken. */
    void overtake() {
      int[] calls = {0};
      table.leaving =
          slot -> {
            if (++calls[0] % 3 == 0) {
              table.slots.tick(slot);
            }
          };
    }

    /** Does a step each time it was called so often; not while it does. */
    Runnable every(int often, Runnable step) {
      int[] calls = {0};
      boolean[] within = {false};
      return () -> {
        if (!within[0] && ++calls[0] % often == 0) {
          within[0] = true;
          step.run();
          within[0] = false;
        }
      };
    }

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
      begin();
      for (int i = 0; i < STEPS; i++) {
        step(i);
      }
      table.before = () -> {};
      table.leaving = slot -> {};
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
