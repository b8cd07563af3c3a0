/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.drops;

import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.FileKeys;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The dropped files of a cache, by the high words of their keys.
 *
 * <p>Drops are numbered. A drop is forgotten when the hands of all shards have gone round since:
 * their positions are noted together with the number of the last drop, and when each has come a
 * whole round farther, all drops up to that number have been looked for. Forgetting is always safe,
 * since a drop only decides which blocks leave first.
 *
 * <p>Writers hold the monitor. A reader loads the table and probes it: a drop that has returned is
 * in the table that a later reader loads, because the table is published by a volatile write and
 * each word by a release. A hand that reads a number from {@link #droppedFiles} finds all drops up
 * to it, because the number is written after the word.
 */
public final class DroppedFiles implements FileKeys {
  /** Most drops that are remembered. */
  public static final int MOST_DROPS = 1 << 20;

  /** Drops between two looks at the hands: one for so many places of the table. */
  private static final int PLACES_PER_LOOK = 8;

  /** The hands that search for blocks of dropped files. */
  public interface Hands {
    /**
     * Slots that each hand has passed so far; up to a round less than before once it goes round
     * another table.
     */
    long[] passed();

    /** Slots in one round of a hand. */
    long turn(int hand);
  }

  volatile DropTable table = new DropTable(0);
  private volatile long drops;

  /** Without hands drops are forgotten only where there are too many. */
  private @Nullable Hands hands;

  private long[] passedAtStart = {};
  private long dropsAtStart;
  private int dropsSinceLook;

  /** Sets the hands, once. */
  public synchronized void begin(Hands hands) {
    this.hands = hands;
    this.passedAtStart = hands.passed();
  }

  @Override
  public FileKey open(FileKey file) {
    Objects.requireNonNull(file, "file must not be null");
    if (isDropped(file.hi())) {
      reopen(file.hi());
    }
    return file;
  }

  private synchronized void reopen(long hi) {
    table.remove(hi);
  }

  @Override
  public synchronized boolean drop(FileKey file) {
    Objects.requireNonNull(file, "file must not be null");
    long hi = file.hi();
    if (isDropped(hi)) {
      return false;
    }
    makeRoom();
    long number = drops + 1;
    table.put(hi, number);
    drops = number;
    return true;
  }

  private void makeRoom() {
    boolean tooMany = table.words >= MOST_DROPS;
    boolean full = tooMany || table.isFull();
    if (!full && ++dropsSinceLook < table.size() / PLACES_PER_LOOK) {
      return;
    }
    dropsSinceLook = 0;
    long forgotten = hadTheirTurn();
    if (tooMany) {
      forgotten = Math.max(forgotten, drops - MOST_DROPS / 2);
    }
    if (full || forgotten > 0) {
      table = table.without(forgotten);
    }
  }

  /** Number of the last drop since which all hands have gone round, or 0 if nothing is new. */
  private long hadTheirTurn() {
    Hands present = hands;
    if (present == null) {
      return 0;
    }
    long[] passed = present.passed();
    for (int hand = 0; hand < passed.length; hand++) {
      if (passed[hand] - passedAtStart[hand] < present.turn(hand)) {
        return 0;
      }
    }
    long number = dropsAtStart;
    dropsAtStart = drops;
    passedAtStart = passed;
    return number;
  }

  @Override
  public boolean isDropped(long keyHi) {
    return table.holds(keyHi);
  }

  @Override
  public long droppedFiles() {
    return drops;
  }
}
