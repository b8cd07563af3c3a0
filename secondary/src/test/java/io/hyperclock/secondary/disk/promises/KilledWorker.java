/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;

/**
 * The child of {@link KillTest}: opens a tier, works, closes it, again and again until it is
 * killed. Reports each step on its standard output, unbuffered, so that nothing reported is lost.
 */
final class KilledWorker {
  /** A report: one byte of {@link Kind}, key, version. */
  static final int REPORT_BYTES = 1 + 2 * Integer.BYTES;

  /** What is reported. */
  enum Kind {
    OPENED,
    /** About to put, or, with version 0, to erase. */
    BEGINS,
    /** Has put or erased. */
    DONE,
    CLOSES,
    CLOSED,
    /** Found what it must not find. */
    WRONG
  }

  private static final int THREADS = 2;

  private final DataOutputStream out =
      new DataOutputStream(new FileOutputStream(FileDescriptor.out));
  private final int[] newest = new int[KillTest.KEYS];
  private final boolean[] known = new boolean[KillTest.KEYS];
  private final Path directory;
  private final long seed;
  private int version;

  private KilledWorker(Path directory, long seed, int version) {
    this.directory = directory;
    this.seed = seed;
    this.version = version;
  }

  /**
   * @param args directory, seed, first version
   */
  public static void main(String[] args) throws Exception {
    new KilledWorker(Path.of(args[0]), Long.parseLong(args[1]), Integer.parseInt(args[2])).run();
  }

  private synchronized void report(Kind kind, int key, int itsVersion) {
    byte[] report =
        ByteBuffer.allocate(REPORT_BYTES)
            .put((byte) kind.ordinal())
            .putInt(key)
            .putInt(itsVersion)
            .array();
    try {
      out.write(report);
    } catch (IOException e) {
      Runtime.getRuntime().halt(3);
    }
  }

  private synchronized int nextVersion() {
    return ++version;
  }

  private void run() throws Exception {
    Random random = new Random(seed);
    DiskWriters writers = new DiskWriters();
    while (true) {
      DiskSecondaryCache tier = Rig.open(directory);
      report(Kind.OPENED, 0, 0);
      int steps = 1 + random.nextInt(600);
      Thread[] threads = new Thread[THREADS];
      for (int thread = 0; thread < THREADS; thread++) {
        int owner = thread;
        Random its = new Random(random.nextLong());
        threads[thread] =
            new Thread(
                () -> {
                  for (int step = 0; step < steps; step++) {
                    step(tier, owner, its);
                  }
                });
        threads[thread].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      report(Kind.CLOSES, 0, 0);
      tier.close();
      report(Kind.CLOSED, 0, 0);
      writers.awaitEnd();
    }
  }

  /** Each thread writes keys of its own. */
  private void step(DiskSecondaryCache tier, int owner, Random random) {
    int key = random.nextInt(KillTest.KEYS / THREADS) * THREADS + owner;
    switch (random.nextInt(8)) {
      case 0 -> {
        report(Kind.BEGINS, key, Rig.NONE);
        Rig.erase(tier, key);
        newest[key] = Rig.NONE;
        known[key] = true;
        report(Kind.DONE, key, Rig.NONE);
      }
      case 1, 2, 3, 4 -> {
        int next = nextVersion();
        report(Kind.BEGINS, key, next);
        Rig.put(tier, key, next, 12 + random.nextInt(5_000));
        newest[key] = next;
        known[key] = true;
        report(Kind.DONE, key, next);
      }
      default -> {
        int found = Rig.versionNow(tier, key);
        if (known[key] && found != Rig.NONE && found != newest[key]) {
          report(Kind.WRONG, key, found);
        }
      }
    }
  }
}
