/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.MetaWord;

/**
 * What a new entry starts with, in one word: its countdown, the state of the replacement policy in
 * its meta word, and whether it needs no probation.
 */
public final class InitialState {
  private static final int COUNTDOWN_BITS = 8;
  private static final int COUNTDOWN_MASK = (1 << COUNTDOWN_BITS) - 1;
  private static final int POLICY_SHIFT = COUNTDOWN_BITS;
  private static final int POLICY_MASK = (1 << MetaWord.POLICY_BITS) - 1;
  private static final int MAIN = 1 << (POLICY_SHIFT + MetaWord.POLICY_BITS);

  private InitialState() {}

  public static int of(int countdown, int policy, boolean main) {
    return countdown | policy << POLICY_SHIFT | (main ? MAIN : 0);
  }

  /** Also what an insert of a present key raises that entry's countdown by. */
  public static int countdown(int newcomer) {
    return newcomer & COUNTDOWN_MASK;
  }

  public static int policy(int newcomer) {
    return newcomer >>> POLICY_SHIFT & POLICY_MASK;
  }

  public static boolean isMain(int newcomer) {
    return (newcomer & MAIN) != 0;
  }
}
