/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.CapacityView;
import io.hyperclock.internal.slot.GenerationWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Finds out whether decisions were right. For a sample of them both keys are remembered, the one
 * that had to leave and the one that stayed; whichever is used first casts a vote for its side.
 * Votes go to the score of the difference in frequency the two had, and tell how large the
 * probation should be. How long a duel may last is learnt too.
 *
 * <p>In a large table one key in {@value #MAX_KEYS_PER_SAMPLE} takes part. Most decisions and
 * misses have no duel to start or to settle, which a look without right to it tells. One thread at
 * a time works here. Another that comes meanwhile returns at once: it loses a vote and does not
 * wait. A duel is written down before its slot is flagged, and the slot is named with its
 * generation, so no flag is left on an entry without a duel that will take it off.
 */
final class AdmissionDuels {
  /** Why a duel is fought. */
  enum Kind {
    /** A candidate stayed, an entry of main had to leave. */
    ADMITTED,
    /** A candidate had to leave. */
    REJECTED
  }

  static final int WORDS = 4;
  private static final int KEY = 0;
  static final int SLOT = 1;
  private static final int GENERATION = 2;
  private static final int START = 3;
  private static final int KIND_BIT = 1;
  private static final int DIFFERENCE_SHIFT = 1;
  private static final int DIFFERENCE_MASK = 7;
  private static final int START_SHIFT = 4;
  private static final int NO_SLOT = 0;

  private static final int ENTRIES_PER_DUEL = 16;
  private static final int MIN_DUELS = 4;

  /** In a large table one key in so many takes part, a power of two. */
  private static final int MAX_KEYS_PER_SAMPLE = 8;

  /** So many entries teach enough that fewer keys need to take part. */
  private static final int ENTRIES_PER_SAMPLE = 1024;

  /**
   * Bits of a hash that tell whether a key takes part; neither those of the cell nor of the key,
   * nor those that tell ghosts apart: where only keys of the sample are remembered, all have these.
   */
  private static final int SAMPLE_SHIFT = 19;

  private static final int SAMPLES_PER_TURN = 8;

  private static final int EPOCH_CAPACITIES = 20;
  private static final int UNDECIDED_PER_VOTE = 64;

  /**
   * In a large table so many decided duels are one more vote for those of main. There a comparison
   * waits for memory; where keys are all used alike each side wins half of the duels, and the score
   * would be above 0 half of the time.
   */
  private static final int DECIDED_PER_VOTE = 12;

  private static final double START_HORIZON = 0.25;
  private static final double MIN_HORIZON = 0.1;
  private static final double MAX_HORIZON = 2;
  private static final double SHORTER = 0.98;
  private static final double LONGER = 1.02;

  private final SlotProtocol slots;
  private final SlotStore store;
  private final LearnedParameters learned;
  private final CapacityView budget;
  private final int keysPerSample;
  final int[] cells;
  private final AtomicBoolean busy = new AtomicBoolean();

  private int misses;
  private int sweep;
  private int undecided;
  private int decided;
  private long adds;
  private double horizon = START_HORIZON;

  /**
   * No duels yet.
   *
   * @param entries entries the table is made for
   */
  AdmissionDuels(SlotProtocol slots, LearnedParameters learned, CapacityView budget, int entries) {
    this.slots = slots;
    this.store = slots.store();
    this.learned = learned;
    this.budget = budget;
    this.keysPerSample =
        Math.min(
            MAX_KEYS_PER_SAMPLE, Integer.highestOneBit(Math.max(1, entries / ENTRIES_PER_SAMPLE)));
    int wanted = Math.max(1, entries / ENTRIES_PER_DUEL / keysPerSample);
    int duels = Math.max(MIN_DUELS, Integer.highestOneBit(wanted));
    this.cells = new int[duels * WORDS];
  }

  private boolean enter() {
    // Plain: a first look; the compare-and-set acquires what the last thread wrote, see leave.
    return !busy.getPlain() && busy.compareAndSet(false, true);
  }

  private void leave() {
    // Publishes this thread's changes to the next one that enters.
    busy.setRelease(false);
  }

  private int cell(long mixed) {
    return ((int) mixed & cells.length / WORDS - 1) * WORDS;
  }

  private static int key(long mixed) {
    return (int) (mixed >>> Integer.SIZE);
  }

  /** Misses from one {@link #turn} to the next, a power of two. */
  int missesPerTurn() {
    return SAMPLES_PER_TURN * keysPerSample;
  }

  /** Whether the table is large, so that not all keys take part. */
  private boolean isSampling() {
    return keysPerSample > 1;
  }

  /** Whether a key is one of the sample. */
  boolean takesPart(long mixed) {
    return (mixed >>> SAMPLE_SHIFT & keysPerSample - 1) == 0;
  }

  /** A key of the sample was not found: it may have lost a duel. */
  void missed(long mixed) {
    int cell = cell(mixed);
    // Plain: a first look without the right to it; looked at again before anything is done.
    if (!hasLost(cell, mixed) || !enter()) {
      return;
    }
    try {
      if (hasLost(cell, mixed)) {
        settle(cell, true);
      }
    } finally {
      leave();
    }
  }

  private boolean hasLost(int cell, long mixed) {
    return isRunning(cell) && cells[cell + KEY] == key(mixed);
  }

  /** A duel step: about {@link #missesPerTurn} keys were not found. Looks at the next duel. */
  void turn() {
    if (!enter()) {
      return;
    }
    try {
      misses += missesPerTurn();
      learned.nextTurn();
      settleIfOver(sweep);
      sweep = sweep + WORDS == cells.length ? 0 : sweep + WORDS;
      adds += missesPerTurn();
      if (adds >= EPOCH_CAPACITIES * entries()) {
        adds /= 2;
        learned.nextEpoch();
      }
    } finally {
      leave();
    }
  }

  /** A decision was made that may be worth a duel. */
  void start(long absent, int slot, long tail, int difference, Kind kind) {
    if (!takesPart(absent)) {
      return;
    }
    int cell = cell(absent);
    // Plain: as in missed.
    if (isYoung(cell) || !enter()) {
      return;
    }
    try {
      if (isYoung(cell)) {
        return;
      }
      if (isRunning(cell)) {
        settle(cell, false);
      }
      cells[cell + KEY] = key(absent);
      cells[cell + SLOT] = slot + 1;
      cells[cell + GENERATION] = (int) GenerationWord.generation(tail);
      cells[cell + START] =
          misses << START_SHIFT
              | difference + LearnedParameters.MAX_DIFFERENCE << DIFFERENCE_SHIFT
              | kind.ordinal();
      if (!flag(cell)) {
        cells[cell + SLOT] = NO_SLOT;
      }
    } finally {
      leave();
    }
  }

  private long entries() {
    return Math.max(1, budget.occupancy());
  }

  private double horizon() {
    return horizon * entries();
  }

  private boolean isYoung(int cell) {
    return isRunning(cell) && age(cell) < horizon();
  }

  private boolean isRunning(int cell) {
    return cells[cell + SLOT] != NO_SLOT;
  }

  private int age(int cell) {
    return (misses << START_SHIFT) - (cells[cell + START] & -1 << START_SHIFT) >>> START_SHIFT;
  }

  boolean isPresent(int cell, long tail) {
    return (int) GenerationWord.generation(tail) == cells[cell + GENERATION];
  }

  private boolean flag(int cell) {
    int slot = cells[cell + SLOT] - 1;
    long meta = store.metaAcquire(slot);
    int history = MetaWord.policy(meta);
    if (!isPresent(cell, store.tailAcquire(slot))
        || !MetaWord.isShareable(meta)
        || isUsed(meta)
        || PolicyBits.isDuelling(history)
        || !slots.annotate(slot, meta, PolicyBits.withDuel(history))) {
      return false;
    }
    if (isPresent(cell, store.tailAcquire(slot))) {
      return true;
    }
    // The next tenant had the same word.
    takeFlagOff(slot);
    return false;
  }

  /**
   * Flags are set by the thread that works here, so a tenant that has come meanwhile has none; nor
   * has a slot that another thread owns.
   */
  private void takeFlagOff(int slot) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      int history = MetaWord.policy(meta);
      if (!PolicyBits.isDuelling(history)
          || slots.annotate(slot, meta, PolicyBits.withoutDuel(history))) {
        return;
      }
    }
  }

  private boolean isUsed(long meta) {
    return MetaWord.refcount(meta) != 0 || MetaWord.releases(meta) >= AdaptiveEntries.MAX_COUNTDOWN;
  }

  private void settleIfOver(int cell) {
    if (isRunning(cell)) {
      int slot = cells[cell + SLOT] - 1;
      long meta = store.metaAcquire(slot);
      boolean present = isPresent(cell, store.tailAcquire(slot)) && MetaWord.isShareable(meta);
      if (present && (isUsed(meta) || age(cell) >= horizon())) {
        settle(cell, false);
      }
    }
  }

  private void settle(int cell, boolean returned) {
    int slot = cells[cell + SLOT] - 1;
    long meta = store.metaAcquire(slot);
    boolean present = isPresent(cell, store.tailAcquire(slot)) && MetaWord.isShareable(meta);
    boolean used = present && isUsed(meta);
    int start = cells[cell + START];
    boolean admitted = (start & KIND_BIT) == Kind.ADMITTED.ordinal();
    int difference =
        (start >>> DIFFERENCE_SHIFT & DIFFERENCE_MASK) - LearnedParameters.MAX_DIFFERENCE;
    if (present) {
      takeFlagOff(slot);
    }
    cells[cell + SLOT] = NO_SLOT;
    boolean isDecided = used || returned;
    if (isDecided) {
      boolean candidateWon = used == admitted;
      learned.vote(difference, candidateWon ? 1 : -1);
      if (isSampling() && ++decided == DECIDED_PER_VOTE) {
        decided = 0;
        learned.vote(difference, -1);
      }
      if (!admitted) {
        learned.resizeProbation(candidateWon ? 2 : -1, entries());
      }
    } else if (present && ++undecided == UNDECIDED_PER_VOTE) {
      undecided = 0;
      learned.vote(difference, -1);
    }
    if (present) {
      double next = horizon * (isDecided ? SHORTER : LONGER);
      horizon = Math.max(MIN_HORIZON, Math.min(MAX_HORIZON, next));
    }
  }
}
