/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.FileKeys;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Keys by number. Shared ones, used by all threads, come first: a third belongs to files that are
 * dropped and opened again, a third has the high word 0 (0:0 included), a third -1. Then each
 * thread has keys of its own. Keys with an odd low word hold values that the collector owns.
 */
final class ModelKeys {
  private static final int FILES = 3;

  private final int shared;
  private final int perThread;
  private final FileKeys fileKeys;

  private final AtomicReferenceArray<FileKey> files = new AtomicReferenceArray<>(FILES);
  private final AtomicLong opened = new AtomicLong();

  ModelKeys(ModelSettings settings, FileKeys fileKeys) {
    this.shared = settings.sharedKeys();
    this.perThread = settings.privateKeys();
    this.fileKeys = fileKeys;
    for (int i = 0; i < FILES; i++) {
      files.set(i, openNext(i));
    }
  }

  int shared() {
    return shared;
  }

  int perThread() {
    return perThread;
  }

  boolean isShared(int key) {
    return key < shared;
  }

  /** Number of a key of a thread. */
  int ofThread(int thread, int index) {
    return shared + thread * perThread + index;
  }

  /** Index of a key among those of its thread. */
  int indexInThread(int key) {
    return (key - shared) % perThread;
  }

  /** High word; that of a file's key changes when the file is dropped. */
  long hi(int key) {
    if (key >= shared) {
      return Long.MIN_VALUE + (key - shared) / perThread;
    }
    return switch (key % 3) {
      case 0 -> files.get(key / 3 % FILES).hi();
      case 1 -> 0;
      default -> -1;
    };
  }

  long lo(int key) {
    return key >= shared ? indexInThread(key) : key / 3;
  }

  static boolean isDisposable(long lo) {
    return (lo & 1) == 0;
  }

  /**
   * Drops a file and opens the next of its name, or the same again; says whether the cache's
   * answers were right. (Others drop and open the same files, so of these nothing is certain.)
   */
  boolean dropFile(int file, boolean again) {
    FileKey key = files.get(file);
    fileKeys.drop(key);
    if (again) {
      return fileKeys.open(key) == key;
    }
    FileKey next = openNext(file);
    boolean right = !fileKeys.isDropped(next.hi()) && next.hi() != key.hi();
    files.set(file, next);
    return right;
  }

  private FileKey openNext(int file) {
    return fileKeys.open(name(file), opened.incrementAndGet());
  }

  static int files() {
    return FILES;
  }

  private static String name(int file) {
    return "model/" + file + ".sst";
  }
}
