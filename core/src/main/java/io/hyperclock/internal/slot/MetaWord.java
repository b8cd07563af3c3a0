/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The meta word of a slot: pure functions on {@code long}.
 *
 * <pre>
 *  63  62      61        60       59 58 57       49 48   47       24 23       0
 * +---+-------+---------+--------+--+--+-----------+----+-----------+---------+
 * | R |visible|shareable|occupied| P| W|  policy 9 |hit | releases  | acquires|
 * +---+-------+---------+--------+--+--+-----------+----+-----------+---------+
 * </pre>
 *
 * <ul>
 *   <li><b>acquires, releases</b>: 24 bits each. Their difference is the refcount; when it is zero
 *       their common value is the countdown of the clock. Without meaning in an empty slot.
 *   <li><b>policy</b>: belongs to the replacement policy; hits and pins leave it alone.
 *   <li><b>hit</b>: found by a read since it was inserted. Above the releases, so that one
 *       comparison tells whether another hit would change anything.
 *   <li><b>W</b>, writer: under construction it is <em>announced</em>, see {@link
 *       TentativeInserts}; a visible entry is <em>superseding</em>: other entries of its key are
 *       older and about to be hidden; a hidden one is <em>superseded</em>. Nothing is ever
 *       superseded in a cache of two versions, where a visible entry with W has a writer inside,
 *       see {@link WriterLatch}.
 *   <li><b>P</b>: a writer is exchanging the value, see {@link ValueSwap}; in a cache of two
 *       versions, has a prepared version.
 *   <li><b>occupied, shareable, visible</b>: the state. Without occupied the slot is empty; without
 *       shareable it is under construction, one thread's own; without visible it is invisible,
 *       still referenced or waiting to be freed.
 *   <li><b>R</b>, readable: visible, the collector owns the value, and no prepared version has a
 *       say in it, so that the check of a pin-free read is one sign test.
 * </ul>
 */
public final class MetaWord {
  static final int COUNTER_BITS = 24;

  /** Width of what a replacement policy may keep. */
  public static final int POLICY_BITS = 9;

  static final int RELEASE_SHIFT = COUNTER_BITS;
  static final int POLICY_SHIFT = 49;

  static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;
  static final long RELEASE_MASK = COUNTER_MASK << RELEASE_SHIFT;
  static final long POLICY_MASK = ((1L << POLICY_BITS) - 1) << POLICY_SHIFT;
  public static final long HIT = 1L << 48;
  public static final long WRITER = 1L << 58;
  static final long PREPARED = 1L << 59;
  static final long OCCUPIED = 1L << 60;
  static final long SHAREABLE = 1L << 61;
  public static final long VISIBLE = 1L << 62;
  public static final long READABLE = 1L << 63;

  /** One step of the acquire counter. */
  static final long ACQUIRE_ONE = 1L;

  /** One step of the release counter. */
  static final long RELEASE_ONE = 1L << RELEASE_SHIFT;

  static final long EMPTY = 0L;
  static final long UNDER_CONSTRUCTION = OCCUPIED;

  /** Of an entry that was to be freed and could not be: invisible and unreferenced. */
  public static final long ABANDONED = OCCUPIED | SHAREABLE;

  static final long ANNOUNCED = UNDER_CONSTRUCTION | WRITER;

  /** Largest number of simultaneous pins of one entry: a quarter of a counter's range. */
  public static final int MAX_PINS = 1 << (COUNTER_BITS - 2);

  /** Largest number of pins including those of threads that pin only to erase. */
  public static final int MAX_PINS_AND_ERASERS = 2 * MAX_PINS - 1;

  private static final long TOP_COUNTER_BITS =
      1L << (COUNTER_BITS - 1) | 1L << (RELEASE_SHIFT + COUNTER_BITS - 1);
  private static final int CORRECTION_THRESHOLD = (1 << (COUNTER_BITS - 1)) + 3;

  private MetaWord() {}

  /**
   * Meta of a new visible entry with a countdown and, if pinned, one reference.
   *
   * @param policy bits of the replacement policy
   */
  public static long visible(int countdown, boolean pinned, boolean readable, int policy) {
    long releases = countdown - (pinned ? 1 : 0);
    return OCCUPIED
        | SHAREABLE
        | VISIBLE
        | (readable ? READABLE : 0)
        | (long) policy << POLICY_SHIFT
        | releases << RELEASE_SHIFT
        | countdown;
  }

  public static boolean isEmpty(long meta) {
    return (meta & OCCUPIED) == 0;
  }

  public static boolean isShareable(long meta) {
    return (meta & SHAREABLE) != 0;
  }

  public static boolean isVisible(long meta) {
    return (meta & VISIBLE) != 0;
  }

  /** Under construction, filled, and about to be published. */
  static boolean isAnnounced(long meta) {
    return (meta & (OCCUPIED | SHAREABLE | WRITER)) == ANNOUNCED;
  }

  /** Newer than other visible entries of its key, which are about to be hidden. */
  public static boolean isSuperseding(long meta) {
    return (meta & (VISIBLE | WRITER)) == (VISIBLE | WRITER);
  }

  /** Hidden because a newer entry of its key took its place, not because it was erased. */
  public static boolean isSuperseded(long meta) {
    return (meta & (SHAREABLE | VISIBLE | WRITER)) == (SHAREABLE | WRITER);
  }

  /** Superseding, with a value that is being exchanged, or with a prepared version. */
  static boolean isMarked(long meta) {
    return (meta & (WRITER | PREPARED)) != 0;
  }

  static long notSuperseding(long meta) {
    return meta & ~WRITER;
  }

  /**
   * Meta of an entry that was moved here: it supersedes itself in the table that is being left. As
   * often used as it was, and with two references: that of the slot it leaves, and the mover's.
   *
   * @param older word in the slot it leaves
   * @param policy what of its state of the replacement policy is passed on
   */
  public static long moved(long older, int policy, int maxCountdown) {
    int countdown = Math.min(releases(older), maxCountdown);
    return visible(countdown, false, isReadable(older), policy) + 2 * ACQUIRE_ONE
        | older & HIT
        | WRITER;
  }

  /**
   * Meta of an entry that takes the place of an older one of its key: pinned, superseding, and as
   * often used as that was.
   *
   * @param older word of the older entry
   * @param policy what of its state of the replacement policy is passed on
   */
  public static long superseding(long older, int policy, boolean readable, int maxCountdown) {
    int countdown = Math.max(1, Math.min(releases(older), maxCountdown));
    return visible(countdown, true, readable, policy) | older & HIT | WRITER;
  }

  /** Has a prepared version, which keeps writers out. */
  public static boolean isPrepared(long meta) {
    return (meta & (VISIBLE | PREPARED)) == (VISIBLE | PREPARED);
  }

  /** It has no pin, and its value belongs to the collector. */
  static boolean isExchangeable(long meta) {
    return (meta & (VISIBLE | READABLE | WRITER | PREPARED)) == (VISIBLE | READABLE)
        && refcount(meta) == 0;
  }

  /** Pinned by the one who exchanges the value; the same bit as prepared. */
  static long exchanging(long meta) {
    return meta + ACQUIRE_ONE | PREPARED;
  }

  /** Whether the value of a held entry is being exchanged, visible or not. */
  static boolean isExchanging(long meta) {
    return (meta & PREPARED) != 0;
  }

  /** The step that ends an exchange and its pin. */
  static long endOfExchange(boolean useful) {
    return (useful ? RELEASE_ONE : -ACQUIRE_ONE) - PREPARED;
  }

  /** Has a writer inside; the same bits as superseding, in another kind of cache. */
  static boolean isEntered(long meta) {
    return isSuperseding(meta);
  }

  static long entered(long meta) {
    return meta | WRITER;
  }

  /** Meta of a new entry without a committed value, pinned by its prepared version. */
  public static long placeholder(int countdown, int policy) {
    return visible(countdown, true, false, policy) | PREPARED;
  }

  static long notReadable(long meta) {
    return meta & ~READABLE;
  }

  /** Readable, and without a prepared version. */
  static long completed(long meta) {
    return meta & ~PREPARED | READABLE;
  }

  static long hiddenWithoutVersions(long meta) {
    return hidden(meta) & ~PREPARED;
  }

  /** Visible, and its value may be read without a pin. */
  public static boolean isReadable(long meta) {
    return meta < 0;
  }

  public static boolean wasHit(long meta) {
    return (meta & HIT) != 0;
  }

  public static int releases(long meta) {
    return (int) (meta >>> RELEASE_SHIFT & COUNTER_MASK);
  }

  /** What the replacement policy keeps in the word. */
  public static int policy(long meta) {
    return (int) ((meta & POLICY_MASK) >>> POLICY_SHIFT);
  }

  /** References held on a shareable slot. */
  public static int refcount(long meta) {
    return (int) ((meta - (meta >>> RELEASE_SHIFT)) & COUNTER_MASK);
  }

  /** Uses (hit bit and releases) from which on another hit changes nothing; never 0. */
  public static long hotFrom(int maxCountdown) {
    return HIT | (long) maxCountdown << RELEASE_SHIFT;
  }

  /**
   * Whether a hit would still change the word.
   *
   * @param hotFrom as by {@link #hotFrom}, or 0 for never
   */
  static boolean wantsTick(long meta, long hotFrom) {
    return (meta & (HIT | RELEASE_MASK)) < hotFrom && isVisible(meta);
  }

  /** The word after a hit that leaves no reference behind. */
  static long ticked(long meta, long hotFrom) {
    long step = (meta & RELEASE_MASK) < (hotFrom & RELEASE_MASK) ? ACQUIRE_ONE + RELEASE_ONE : 0;
    return meta + step | HIT;
  }

  /** The word of an unreferenced entry with another countdown. */
  static long withCountdown(long meta, int countdown) {
    return meta & ~(COUNTER_MASK | RELEASE_MASK) | (long) countdown << RELEASE_SHIFT | countdown;
  }

  static long withPolicy(long meta, int policy) {
    return meta & ~POLICY_MASK | (long) policy << POLICY_SHIFT;
  }

  /** The word after a kept insert: the countdown grows, references stay. */
  static long boosted(long meta, int countdown) {
    return meta + countdown * (ACQUIRE_ONE + RELEASE_ONE);
  }

  static long superseded(long meta) {
    return hidden(meta) | WRITER;
  }

  static long hidden(long meta) {
    return meta & ~(VISIBLE | READABLE | WRITER);
  }

  /** Under construction, remembering only whether it was hit. */
  static long taken(long meta) {
    return UNDER_CONSTRUCTION | meta & HIT;
  }

  /** Whether the counters are so high that they must lose their top bits. */
  static boolean nearOverflow(long meta) {
    return releases(meta) > CORRECTION_THRESHOLD;
  }

  /** Both counters without their top bits: same refcount, countdown still at its maximum. */
  static long corrected(long meta) {
    return (meta & TOP_COUNTER_BITS) == TOP_COUNTER_BITS ? meta & ~TOP_COUNTER_BITS : meta;
  }
}
