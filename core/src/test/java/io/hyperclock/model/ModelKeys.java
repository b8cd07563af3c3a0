/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.entry.FileKeys;
import java.util.concurrent.atomic.AtomicLongArray;

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

  /** Numbers of files have a random part, so a run that is to be repeatable does without. */
  private final boolean repeatable;

  private final AtomicLongArray files = new AtomicLongArray(FILES);

  ModelKeys(ModelSettings settings, FileKeys fileKeys) {
    this.shared = settings.sharedKeys();
    this.perThread = settings.privateKeys();
    this.fileKeys = fileKeys;
    this.repeatable = settings.threads() == 1;
    for (int i = 0; i < FILES; i++) {
      files.set(i, repeatable ? i + 1 : fileKeys.open(name(i)));
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
      case 0 -> files.get(key / 3 % FILES);
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

  /** Drops a file and opens it again; says whether the cache's answers were right. */
  boolean dropFile(int file) {
    long number = files.get(file);
    if (!fileKeys.drop(number)) {
      return true;
    }
    boolean right = fileKeys.isDropped(number) && !fileKeys.drop(number);
    long next = fileKeys.open(name(file));
    right &= next != number && !fileKeys.isDropped(next);
    files.set(file, next);
    return right;
  }

  static int files() {
    return FILES;
  }

  private static String name(int file) {
    return "model/" + file + ".sst";
  }
}
