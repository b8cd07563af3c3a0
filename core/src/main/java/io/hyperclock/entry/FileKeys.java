/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Numbers files, so that {@code (file, offset)} is a whole key of two longs and needs no
 * allocation: pass the file's number as the high word and the offset as the low word.
 *
 * <p>Dropping a file takes constant time whatever it has cached: its number is never given out
 * again and its blocks are the first that the clock hand evicts. Under the adaptive replacement a
 * hand of its own goes round once for them, a few dozen slots an insert: as long as one in thirty
 * slots is dead no live block leaves, and at the end of the turn all of them are gone that are not
 * pinned. Under the classic one they leave wherever the hand meets them.
 *
 * <p>Reads under a dropped number still answer while the blocks last, so that those who read the
 * file when it was dropped finish at full speed; a reader that must not see them stops using the
 * number. Opening the same name again gives a new number and sees none of them.
 *
 * <p>A number carries a random tag of 24 bits in its upper part, so that two caches do not take
 * each other's files for their own. Up to 2<sup>30</sup> files can be opened in the life of one
 * instance.
 *
 * <p>Thread-safe. {@link #isDropped} takes no lock; {@link #open} and {@link #drop} lock one bin of
 * a map of names.
 */
public final class FileKeys {
  private static final int CHUNK_BITS = 18;
  private static final int CHUNK_FILES = 1 << CHUNK_BITS;
  private static final int MAX_FILES = 1 << 30;
  private static final int TAG_SHIFT = 40;

  private final long tag = 1 + new SplittableRandom().nextLong((1L << 24) - 1);
  private final AtomicInteger opened = new AtomicInteger();
  private final ConcurrentMap<String, Long> numbers = new ConcurrentHashMap<>();
  private final ConcurrentMap<Long, String> names = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable AtomicLongArray> droppedBits =
      new AtomicReferenceArray<>(MAX_FILES >>> CHUNK_BITS);
  private final AtomicInteger dropped = new AtomicInteger();

  /** Made by a cache; an instance of one's own works too, but its drops evict nothing early. */
  public FileKeys() {}

  /**
   * Number of a file, the same for the same name until it is dropped.
   *
   * @param name any name, such as a path
   * @return the high word of the keys of its blocks
   * @throws IllegalStateException if 2<sup>30</sup> files were opened before
   */
  public long open(String name) {
    Objects.requireNonNull(name, "name must not be null");
    Long known = numbers.get(name);
    return known != null ? known : numbers.computeIfAbsent(name, this::number);
  }

  private Long number(String name) {
    int serial = opened.getAndUpdate(n -> n < MAX_FILES ? n + 1 : n);
    if (serial == MAX_FILES) {
      throw new IllegalStateException("too many files: opened=" + MAX_FILES);
    }
    Long number = tag << TAG_SHIFT | serial;
    names.put(number, name);
    return number;
  }

  /**
   * Drops a file by its number, in constant time.
   *
   * @param file a number from {@link #open}
   * @return false if it is not open
   */
  public boolean drop(long file) {
    String name = names.get(file);
    if (name == null || !numbers.remove(name, file)) {
      return false;
    }
    markDropped((int) file);
    names.remove(file);
    return true;
  }

  /**
   * Drops a file by its name, in constant time.
   *
   * @param name a name given to {@link #open}
   * @return false if it is not open
   */
  public boolean drop(String name) {
    Long file = numbers.get(Objects.requireNonNull(name, "name must not be null"));
    return file != null && drop(file.longValue());
  }

  private void markDropped(int serial) {
    int chunk = serial >>> CHUNK_BITS;
    AtomicLongArray bits = droppedBits.get(chunk);
    if (bits == null) {
      AtomicLongArray fresh = new AtomicLongArray(CHUNK_FILES >>> 6);
      AtomicLongArray winner = droppedBits.compareAndExchange(chunk, null, fresh);
      bits = winner == null ? fresh : winner;
    }
    long bit = 1L << serial;
    bits.getAndUpdate((serial & (CHUNK_FILES - 1)) >>> 6, word -> word | bit);
    dropped.incrementAndGet();
  }

  /**
   * Whether a key's high word is the number of a dropped file. Takes no lock and allocates nothing.
   *
   * @param keyHi high word of any key
   * @return true for a dropped file of this instance
   */
  public boolean isDropped(long keyHi) {
    if (dropped.get() == 0 || keyHi >>> TAG_SHIFT != tag) {
      return false;
    }
    long serial = keyHi & ((1L << TAG_SHIFT) - 1);
    if (serial >= MAX_FILES) {
      return false;
    }
    AtomicLongArray bits = droppedBits.get((int) serial >>> CHUNK_BITS);
    return bits != null && (bits.get(((int) serial & (CHUNK_FILES - 1)) >>> 6) & 1L << serial) != 0;
  }

  /**
   * Number of files dropped so far.
   *
   * @return a count that only grows
   */
  public int droppedFiles() {
    return dropped.get();
  }

  /**
   * Number of files that are open.
   *
   * @return a count
   */
  public int openFiles() {
    return names.size();
  }
}
