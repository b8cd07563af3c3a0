/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.versioned.InDoubtException;
import java.util.Map;

/** Crashes between vote and decision, and shows what reads find at each moment. */
public final class TwoPhaseCommit {
  private static final long ALICE = 1;
  private static final long BOB = 2;
  private static final long CAROL = 3;

  private TwoPhaseCommit() {}

  /**
   * Tells the story.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    Participant.Disk disk = new Participant.Disk();
    disk.balances.putAll(Map.of(ALICE, 100L, BOB, 0L, CAROL, 7L));
    Participant participant = Participant.start(disk);
    print("before", participant);
    participant.vote(1, Map.of(ALICE, 60L, BOB, 40L));
    print("voted", participant);
    participant = Participant.start(disk);
    print("after a crash", participant);
    participant.resolve(transaction -> true);
    print("resolved", participant);
  }

  private static void print(String when, Participant participant) {
    System.out.printf(
        "%-14s Alice %s, Bob %s, Carol %s%n",
        when, read(participant, ALICE), read(participant, BOB), read(participant, CAROL));
  }

  private static String read(Participant participant, long account) {
    try {
      return Long.toString(participant.balance(account));
    } catch (InDoubtException e) {
      return "in doubt";
    }
  }
}
