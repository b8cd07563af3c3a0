/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.internal.record.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which values of the server this instance may still give, although its writes are under way, have
 * failed, or may be carried out late.
 *
 * <p>Writes are numbered, and values bear the number of their write. What a lookup may give is
 * decided by what is known of the key when it begins:
 *
 * <ul>
 *   <li>nothing: anything. All writes of the key have been confirmed;
 *   <li>writes under way: only what this instance wrote, under the number of the newest or above;
 *   <li>a removal <i>owed</i>, because the newest write did not get through: nothing at all, until
 *       a later write or a removal of the key is confirmed.
 * </ul>
 *
 * <p>A write that ended without an answer, or while a newer one of its key was under way, may be
 * carried out at any later time. So its number goes into {@code late}, by the hash of the key: what
 * this instance wrote under that number or below is not given any more, neighbours with the same
 * hash included. That costs them a hit, and ends when they are written again.
 *
 * <p>Where too many removals are owed they are forgotten, and the <i>floor</i> rises instead: until
 * the longest time to live has passed, only what this instance wrote above it is given.
 *
 * <p>A write is made before it begins, and a mark is a link of the queue of keys that owe a
 * removal: so a lack of memory finds no write half begun, half ended, or half queued.
 *
 * <p>Thread-safe; locks are held for a few steps on a map.
 */
final class WriteTracker {
  /** What {@link #required} says of a key under which nothing may be given. */
  static final long NOTHING = Long.MAX_VALUE;

  /** How a write ended. */
  enum End {
    CONFIRMED,
    NOT_DONE,
    UNKNOWN
  }

  /** A write, under way from {@link #begin} to {@link #end}. */
  static final class Write {
    private final Key128 key;
    private final boolean removes;
    private long number;

    Write(long hi, long lo, boolean removes) {
      this(new Key128(hi, lo), removes);
    }

    private Write(Key128 key, boolean removes) {
      this.key = key;
      this.removes = removes;
    }

    long hi() {
      return key.hi();
    }

    long lo() {
      return key.lo();
    }

    /** Known once it has begun. */
    long number() {
      return number;
    }

    boolean removes() {
      return removes;
    }
  }

  private record Floor(long number, long untilNanos) {}

  /** What is known of a key's writes. */
  private static final class Mark {
    private final Key128 key;
    private long newest;
    private long confirmed;
    private long failed;
    private int underWay;

    /** Whether it is in the queue, or about to be; even if it is not in its stripe any more. */
    private boolean queued;

    /** The next in the queue. */
    private @Nullable Mark next;

    Mark(Key128 key) {
      this.key = key;
    }

    private boolean isOwed() {
      return failed > confirmed;
    }
  }

  /** Marks in a row. */
  private static final class Queue {
    private @Nullable Mark first;
    private @Nullable Mark last;
    private int size;

    void add(Mark mark) {
      if (last == null) {
        first = mark;
      } else {
        last.next = mark;
      }
      last = mark;
      size++;
    }

    Mark remove() {
      Mark removed = Objects.requireNonNull(first);
      first = removed.next;
      removed.next = null;
      if (first == null) {
        last = null;
      }
      size--;
      return removed;
    }
  }

  private static final int STRIPES = 64;
  private static final int LATE = 1 << 14;
  private static final LongBinaryOperator MAX = Math::max;

  private final List<Map<Key128, Mark>> stripes = new ArrayList<>();
  private final AtomicLongArray late = new AtomicLongArray(LATE);
  private final AtomicLong numbers = new AtomicLong();
  private final int maxOwed;
  private final long floorNanos;
  private volatile @Nullable Floor floor;

  /** Guarded by itself; stripes are locked inside of it, never the other way round. */
  private final Queue owed = new Queue();

  private volatile int owedKeys;

  WriteTracker(int maxOwed, long floorNanos) {
    this.maxOwed = maxOwed;
    this.floorNanos = floorNanos;
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new HashMap<>());
    }
  }

  private static long hash(Key128 key) {
    return Words.hash(0, key.hi(), key.lo());
  }

  private Map<Key128, Mark> stripe(Key128 key) {
    return stripes.get((int) (hash(key) >>> Long.SIZE - 6));
  }

  private static int late(Key128 key) {
    return (int) hash(key) & LATE - 1;
  }

  /** A write begins; from now on no older value of the key is given. */
  void begin(Write write) {
    Map<Key128, Mark> stripe = stripe(write.key);
    synchronized (stripe) {
      begin(write, stripe.computeIfAbsent(write.key, Mark::new));
    }
  }

  private void begin(Write write, Mark mark) {
    mark.newest = numbers.incrementAndGet();
    mark.underWay++;
    write.number = mark.newest;
  }

  void end(Write write, End end) {
    Map<Key128, Mark> stripe = stripe(write.key);
    Mark mark;
    boolean owes;
    synchronized (stripe) {
      mark = Objects.requireNonNull(stripe.get(write.key));
      mark.underWay--;
      boolean overtaken = end == End.CONFIRMED && write.number < mark.newest;
      if (!write.removes && (end == End.UNKNOWN || overtaken)) {
        late.accumulateAndGet(late(write.key), write.number, MAX);
      }
      if (end == End.CONFIRMED) {
        mark.confirmed = Math.max(mark.confirmed, write.number);
      } else {
        mark.failed = Math.max(mark.failed, write.number);
      }
      owes = settle(stripe, mark);
    }
    if (owes) {
      queue(mark);
    }
  }

  /** A write of the key was not even tried. */
  void owe(long hi, long lo) {
    Key128 key = new Key128(hi, lo);
    Map<Key128, Mark> stripe = stripe(key);
    Mark mark;
    boolean owes;
    synchronized (stripe) {
      mark = stripe.computeIfAbsent(key, Mark::new);
      mark.newest = numbers.incrementAndGet();
      mark.failed = mark.newest;
      owes = settle(stripe, mark);
    }
    if (owes) {
      queue(mark);
    }
  }

  /** Whether the key is to be queued; what is not needed is forgotten. */
  private static boolean settle(Map<Key128, Mark> stripe, Mark mark) {
    if (mark.underWay > 0) {
      return false;
    }
    if (!mark.isOwed()) {
      stripe.remove(mark.key);
      return false;
    }
    boolean owes = !mark.queued;
    mark.queued = true;
    return owes;
  }

  private void queue(Mark mark) {
    synchronized (owed) {
      owed.add(mark);
      owedKeys = owed.size;
      if (owedKeys > maxOwed) {
        try {
          distrustAll();
        } catch (OutOfMemoryError e) {
          // The next that is queued tries again.
        }
      }
    }
  }

  /** From now on nothing is given that was written before, for as long as it may be there. */
  void distrustAll() {
    synchronized (owed) {
      // The floor takes a number of its own, for 0 would mean that there is none.
      Floor risen = new Floor(numbers.incrementAndGet(), System.nanoTime() + floorNanos);
      floor = risen;
      for (int left = owed.size; left > 0; left--) {
        Mark mark = owed.remove();
        if (!forget(mark, risen.number)) {
          owed.add(mark);
        }
      }
      owedKeys = owed.size;
    }
  }

  /** False if the mark must stay queued. */
  private boolean forget(Mark mark, long upTo) {
    Map<Key128, Mark> stripe = stripe(mark.key);
    synchronized (stripe) {
      if (stripe.get(mark.key) != mark) {
        return true;
      }
      if (mark.failed > upTo) {
        return false;
      }
      mark.queued = false;
      mark.failed = 0;
      settle(stripe, mark);
      return true;
    }
  }

  /**
   * Begins the removal of keys that owe one, of fewer where memory is short.
   *
   * @param taken gets the removals, and has room for {@code max}
   */
  void takeOwed(List<Write> taken, int max) {
    synchronized (owed) {
      try {
        for (Mark mark = owed.first; mark != null && taken.size() < max; mark = owed.first) {
          Write write = new Write(mark.key, true); // While the mark is still in the queue.
          owed.remove();
          Map<Key128, Mark> stripe = stripe(mark.key);
          synchronized (stripe) {
            mark.queued = false;
            if (stripe.get(mark.key) == mark && mark.underWay == 0 && mark.isOwed()) {
              begin(write, mark);
              taken.add(write);
            }
          }
        }
      } catch (OutOfMemoryError e) {
        // What is still queued is taken later.
      }
      owedKeys = owed.size;
    }
  }

  /** Keys queued for removal. */
  int owed() {
    return owedKeys;
  }

  /** Whether the floor has risen, and still holds. */
  boolean isDistrusting() {
    return floorNow() > 0;
  }

  private long floorNow() {
    Floor risen = floor;
    return risen != null && System.nanoTime() - risen.untilNanos < 0 ? risen.number : 0;
  }

  /**
   * What a lookup that begins now may give.
   *
   * @return 0 for anything, {@link #NOTHING}, or the least number of a write of this instance
   */
  long required(long hi, long lo) {
    Key128 key = new Key128(hi, lo);
    Map<Key128, Mark> stripe = stripe(key);
    long required = 0;
    synchronized (stripe) {
      Mark mark = stripe.get(key);
      if (mark != null) {
        required = mark.isOwed() ? NOTHING : mark.newest;
      }
    }
    // Read after the mark: a mark that was forgotten has raised the floor first.
    long above = floorNow();
    return above == 0 ? required : Math.max(required, above + 1);
  }

  /** Whether a value may be given, by what was {@link #required} before it was asked for. */
  boolean trusts(long hi, long lo, long required, boolean own, long number) {
    if (!own) {
      return required == 0;
    }
    return number >= required && number > late.get(late(new Key128(hi, lo)));
  }
}
