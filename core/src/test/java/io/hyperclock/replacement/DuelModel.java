/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The adaptive replacement as it was designed, for one thread and entries of charge 1: what the
 * cache is measured by. Written from the description alone, and slower than it need be.
 */
final class DuelModel {
  private static final int NONE = -1;
  private static final int LOOKS = 32;
  private static final int MAX_FREQUENCY = 15;
  private static final int FINGERPRINTS = 1 << 10;

  private enum Kind {
    ADMITTED,
    REJECTED
  }

  /** One entry of the table. */
  private static final class Slot {
    int key = NONE;
    boolean used;
    boolean main;
    boolean duel;
    int frequency;
    long epoch;
    long tenancy;
  }

  private record Place(int slot, long tenancy) {}

  private record Ghost(int fingerprint, int frequency, long epoch) {}

  private record Duel(int absent, int occupant, int slot, long start, int difference, Kind kind) {}

  private final int capacity;
  private final Slot[] slots;
  private final int[] slotOf;
  private final ArrayDeque<Place> ring = new ArrayDeque<>();
  private final ArrayDeque<Ghost>[] ghosts;
  private final Duel[] duels;
  private final int[] scores = {-4, -4, -4, -4, 4, 4, 4};
  private double probationTarget;
  private double horizon = 0.25;
  private long misses;
  private long adds;
  private long epoch;
  private int sweep;
  private int undecided;
  private int decidedDuels;
  private int hand;
  private int probation;
  private int main;
  private int looks;

  @SuppressWarnings({"unchecked", "rawtypes"})
  DuelModel(int capacity, int keys) {
    this.capacity = capacity;
    slots = new Slot[(int) (capacity / 0.7)];
    Arrays.setAll(slots, i -> new Slot());
    slotOf = new int[keys];
    Arrays.fill(slotOf, NONE);
    ghosts = new ArrayDeque[capacity];
    Arrays.setAll(ghosts, i -> new ArrayDeque<>());
    duels = new Duel[Math.max(4, Integer.highestOneBit(capacity / 16))];
    probationTarget = 0.02 * capacity;
  }

  static double hitRatio(int[] keys, int capacity) {
    DuelModel model = new DuelModel(capacity, 1 + Arrays.stream(keys).max().orElse(0));
    long hits = 0;
    for (int key : keys) {
      hits += model.request(key) ? 1 : 0;
    }
    return hits / (double) keys.length;
  }

  private static long hash(int key) {
    long mixed = (key + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 31) * 0xBF58476D1CE4E5B9L;
    return mixed ^ mixed >>> 29;
  }

  private int soft() {
    return capacity - capacity / 500;
  }

  private boolean request(int key) {
    if (slotOf[key] != NONE) {
      slots[slotOf[key]].used = true;
      return true;
    }
    insert(key);
    return false;
  }

  private void insert(int key) {
    misses++;
    int cell = cell(key);
    if (duels[cell] != null && duels[cell].absent == key) {
      settle(cell, true);
    }
    sweep = (sweep + 1) % duels.length;
    Duel turn = duels[sweep];
    if (turn != null
        && isPresent(turn)
        && (slots[turn.slot].used || misses - turn.start >= horizon * capacity)) {
      settle(sweep, false);
    }
    int ghost = takeGhost(key);
    while (probation + main + 1 <= soft()
        && probation + 1 > probationTarget
        && main < soft() - probationTarget
        && !ring.isEmpty()) {
      Place front = ring.remove();
      if (isCurrent(front)) {
        promote(front.slot);
      }
    }
    if (probation + main + 1 > soft()) {
      makeRoom();
    }
    put(key, ghost == NONE ? 1 : Math.min(MAX_FREQUENCY, ghost + 1));
    if (++adds >= 20L * capacity) {
      adds /= 2;
      epoch++;
    }
  }

  private void put(int key, int frequency) {
    long path = hash(key);
    while (slots[(int) Long.remainderUnsigned(path, slots.length)].key != NONE) {
      path = path * 0x5851F42D4C957F2DL + 0x14057B7EF767814FL;
    }
    int at = (int) Long.remainderUnsigned(path, slots.length);
    Slot slot = slots[at];
    slot.key = key;
    slot.used = false;
    slot.main = false;
    slot.duel = false;
    slot.frequency = frequency;
    slot.epoch = epoch;
    slot.tenancy++;
    slotOf[key] = at;
    probation++;
    ring.add(new Place(at, slot.tenancy));
  }

  private boolean isCurrent(Place place) {
    Slot slot = slots[place.slot];
    return slot.key != NONE && slot.tenancy == place.tenancy && !slot.main;
  }

  private void promote(int slot) {
    slots[slot].main = true;
    probation--;
    main++;
  }

  private void makeRoom() {
    looks = LOOKS;
    while (probation + main + 1 > soft()) {
      if (looks <= 0) {
        if (probation + main + 1 <= capacity) {
          return;
        }
        evictAny();
      } else if (probation + 1 > probationTarget) {
        decide();
      } else {
        int victim = victim();
        int leaving = victim == NONE ? nextProbation() : victim;
        if (leaving != NONE) {
          evict(leaving);
        }
      }
    }
  }

  private void decide() {
    int candidate = nextProbation();
    if (candidate == NONE) {
      int victim = victim();
      if (victim != NONE) {
        evict(victim);
      }
      return;
    }
    if (main < soft() - probationTarget) {
      promote(candidate);
      return;
    }
    int victim = victim();
    if (victim == NONE) {
      if (looks > 0) {
        evict(candidate);
      } else {
        ring.addFirst(new Place(candidate, slots[candidate].tenancy));
      }
      return;
    }
    refresh(slots[candidate]);
    refresh(slots[victim]);
    int difference =
        Math.max(-3, Math.min(3, slots[candidate].frequency - slots[victim].frequency));
    if (scores[difference + 3] > 0) {
      int absent = slots[victim].key;
      evict(victim);
      promote(candidate);
      startDuel(absent, candidate, difference, Kind.ADMITTED);
    } else {
      int absent = slots[candidate].key;
      evict(candidate);
      startDuel(absent, victim, difference, Kind.REJECTED);
    }
  }

  private void evictAny() {
    while (probation + 1 > probationTarget && !ring.isEmpty()) {
      Place front = ring.remove();
      if (isCurrent(front)) {
        evict(front.slot);
        return;
      }
    }
    while (slots[hand].key == NONE || !slots[hand].main) {
      hand = (hand + 1) % slots.length;
    }
    evict(hand);
  }

  private int nextProbation() {
    while (looks > 0 && !ring.isEmpty()) {
      Place front = ring.remove();
      looks--;
      if (isCurrent(front)) {
        Slot slot = slots[front.slot];
        if (!slot.used) {
          return front.slot;
        }
        credit(slot);
        ring.add(front);
      }
    }
    return NONE;
  }

  private void credit(Slot slot) {
    refresh(slot);
    slot.frequency = Math.min(MAX_FREQUENCY, slot.frequency + 1);
    slot.used = false;
  }

  private int nextMain() {
    while (looks > 0) {
      looks--;
      hand = (hand + 1) % slots.length;
      Slot slot = slots[hand];
      if (slot.key != NONE && slot.main && !slot.duel) {
        if (!slot.used) {
          return hand;
        }
        credit(slot);
      }
    }
    return NONE;
  }

  private int victim() {
    int best = nextMain();
    if (best != NONE && scores[-1 + 3] < 0) {
      for (int draw = 0; draw < 2; draw++) {
        int other = nextMain();
        if (other != NONE) {
          refresh(slots[best]);
          refresh(slots[other]);
          best = slots[other].frequency < slots[best].frequency ? other : best;
        }
      }
    }
    return best;
  }

  private void refresh(Slot slot) {
    slot.frequency >>= (int) Math.min(5, epoch - slot.epoch);
    slot.epoch = epoch;
  }

  private void evict(int at) {
    Slot slot = slots[at];
    refresh(slot);
    putGhost(slot.key, slot.frequency);
    slotOf[slot.key] = NONE;
    slot.key = NONE;
    if (slot.main) {
      main--;
    } else {
      probation--;
    }
  }

  private ArrayDeque<Ghost> ghostsOf(int key) {
    return ghosts[(int) Long.remainderUnsigned(hash(key) >>> 20, ghosts.length)];
  }

  private static int fingerprint(int key) {
    return (int) hash(key) & FINGERPRINTS - 1;
  }

  private int takeGhost(int key) {
    for (Ghost ghost : ghostsOf(key)) {
      if (ghost.fingerprint == fingerprint(key)) {
        ghostsOf(key).remove(ghost);
        return ghost.frequency >> (int) (epoch - ghost.epoch & 3);
      }
    }
    return NONE;
  }

  private void putGhost(int key, int frequency) {
    ArrayDeque<Ghost> cells = ghostsOf(key);
    if (cells.size() == 4) {
      Ghost oldest = cells.removeLast();
      Ghost next = cells.removeLast();
      boolean nextLeaves =
          next.frequency >> (int) (epoch - next.epoch & 3)
              < oldest.frequency >> (int) (epoch - oldest.epoch & 3);
      cells.addLast(nextLeaves ? oldest : next);
    }
    cells.addFirst(new Ghost(fingerprint(key), frequency, epoch));
  }

  private int cell(int key) {
    return (int) (hash(key) >>> 40) & duels.length - 1;
  }

  private boolean isPresent(Duel duel) {
    return slots[duel.slot].key == duel.occupant;
  }

  private void startDuel(int absent, int resident, int difference, Kind kind) {
    int cell = cell(absent);
    if (duels[cell] != null) {
      if (misses - duels[cell].start < horizon * capacity) {
        return;
      }
      settle(cell, false);
    }
    Slot slot = slots[resident];
    if (!slot.used && !slot.duel) {
      duels[cell] = new Duel(absent, slot.key, resident, misses, difference, kind);
      slot.duel = true;
    }
  }

  private void settle(int cell, boolean returned) {
    Duel duel = duels[cell];
    duels[cell] = null;
    boolean alive = isPresent(duel);
    boolean hit = alive && slots[duel.slot].used;
    if (alive) {
      slots[duel.slot].duel = false;
    }
    boolean decided = hit || returned;
    boolean candidateWon = hit ? duel.kind == Kind.ADMITTED : duel.kind == Kind.REJECTED;
    if (decided) {
      vote(duel.difference, candidateWon ? 1 : -1);
      if (capacity >= 2048 && ++decidedDuels % 12 == 0) {
        vote(duel.difference, -1);
      }
      if (duel.kind == Kind.REJECTED) {
        double target = probationTarget + (candidateWon ? 1 : -0.5);
        probationTarget = Math.max(0.02 * capacity, Math.min(0.25 * capacity, target));
      }
    } else if (alive && ++undecided == 64) {
      undecided = 0;
      vote(duel.difference, -1);
    }
    if (alive) {
      horizon = Math.max(0.1, Math.min(2, horizon * (decided ? 0.98 : 1.02)));
    }
  }

  private void vote(int difference, int votes) {
    scores[difference + 3] = Math.max(-24, Math.min(24, scores[difference + 3] + votes));
  }
}
