/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import java.util.Objects;

/**
 * The files of a cache: opens them, so that {@code (file, offset)} is a whole key of two longs
 * without any allocation, and drops them.
 *
 * <pre>{@code
 * FileKeys files = cache.fileKeys();
 * FileKey file = files.open("db-3f2a91c0", 123);
 * cache.get(file.hi(), file.lo(offset));
 * files.drop(file);                               // when the file is deleted
 * }</pre>
 *
 * <p>Keys are the same in every process, so tiers that outlive the cache or are shared with others
 * find the blocks again; {@link FileKey} says what that asks of the identity of a file. Nothing is
 * kept of open files: a file need not be closed, and every thread may open it again.
 *
 * <p><b>Dropping</b> a file takes constant time, however much of it is cached: its blocks are the
 * first that the clock hand evicts. Under the adaptive replacement a hand of its own goes round
 * once for them, about 31 slots for each insert that needs space. While at least a sixth of the
 * slots hold blocks of dropped files, nearly every eviction is of one. At a thirtieth it is two in
 * three: in the rest the hand meets none. At the end of the round all of them are gone that are not
 * pinned. Under the classic replacement they leave wherever the hand meets them. Reads still find
 * the blocks while they last, so that those who read the file when it was dropped finish at full
 * speed. Blocks of a dropped file do not move down to tiers; copies that are below stay until their
 * tier gives them up.
 *
 * <p><b>Opening again</b> ends a drop: an identity stands for the same bytes for ever, so the
 * blocks that are left are valid and stay. A name that is used again for other bytes needs another
 * number.
 *
 * <p><b>A drop is forgotten</b> some time after the hand has gone round once; what is inserted
 * under the file's keys afterwards, or was pinned all the time, leaves like other blocks. At most
 * 2<sup>20</sup> drops are remembered; where the hand stands still the oldest are forgotten.
 *
 * <p>Two of <i>n</i> files have the same high word with odds of <i>n</i><sup>2</sup>&nbsp;
 * &middot;&nbsp;2<sup>-65</sup> (3 in 10<sup>8</sup> for a million files in one cache). They never
 * share a block for that. Dropping one of them evicts the other's blocks too, until the other is
 * opened again or the drop is forgotten.
 *
 * <p>Works while the cache is being closed and afterwards too, for engines that delete files then.
 *
 * <p>Thread-safe. {@link #isDropped} takes no lock and allocates nothing, {@link #open} takes one
 * only for a file that was dropped, {@link #drop} always.
 */
public interface FileKeys {
  /**
   * Opens a file by a name that is never used again.
   *
   * @param name as in {@link FileKey#of(String)}
   * @return the file's key
   * @throws IllegalArgumentException if {@code name} is empty or has an unpaired surrogate
   */
  default FileKey open(String name) {
    return open(FileKey.of(name));
  }

  /**
   * Opens a file by a name and a number.
   *
   * @param name as in {@link FileKey#of(String, long)}
   * @param number never used again with this name; any bits
   * @return the file's key
   * @throws IllegalArgumentException if {@code name} is empty or has an unpaired surrogate
   */
  default FileKey open(String name, long number) {
    return open(FileKey.of(name, number));
  }

  /**
   * Opens a file: if it was dropped, its blocks count as those of other files again.
   *
   * @param file its key
   * @return {@code file}
   */
  FileKey open(FileKey file);

  /**
   * Drops a file, opened before or not, in constant time (amortized).
   *
   * @param file its key
   * @return false if its drop is still remembered
   */
  boolean drop(FileKey file);

  /**
   * Drops a group of files, each in constant time.
   *
   * @param files their keys
   * @return how many of them were not dropped before
   */
  default int dropAll(Iterable<FileKey> files) {
    int dropped = 0;
    for (FileKey file : Objects.requireNonNull(files, "files must not be null")) {
      dropped += drop(file) ? 1 : 0;
    }
    return dropped;
  }

  /**
   * Whether a key is one of a dropped file, by its high word. Takes no lock and allocates nothing.
   *
   * @param keyHi high word of any key
   * @return true from a drop until the file is opened again or the drop is forgotten
   */
  boolean isDropped(long keyHi);

  /**
   * Number of drops so far, forgotten ones included.
   *
   * @return a count that only grows
   */
  long droppedFiles();
}
