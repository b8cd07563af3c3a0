/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread on which a tier writes. A builder starts it before anything on the device changes, so
 * that a build which finds no thread leaves the device as it was.
 */
final class WriterThread {
  private static final Runnable NOTHING = () -> {};

  private final Thread thread;
  private volatile @Nullable Runnable work;

  private WriterThread(String name) {
    thread = new Thread(this::awaitWork, "hyperclock-" + name + "-writer");
    thread.setDaemon(true);
  }

  /** Starts a thread, which waits for its work. */
  static WriterThread start(String name) {
    WriterThread started = new WriterThread(name);
    started.thread.start();
    return started;
  }

  /** Takes no memory while it waits: a thread that ended for lack of it would never write. */
  private void awaitWork() {
    Runnable present = work;
    while (present == null) {
      LockSupport.park(this);
      present = work;
    }
    present.run();
  }

  private synchronized void give(Runnable first) {
    if (work == null) {
      work = first;
      LockSupport.unpark(thread);
    }
  }

  /** Lets the thread run the writer of a tier that is built. */
  void run(RegionWriter writer) {
    give(writer);
  }

  /** Lets the thread end, because the tier cannot be built; too late once it runs a writer. */
  void end() {
    give(NOTHING);
  }
}
