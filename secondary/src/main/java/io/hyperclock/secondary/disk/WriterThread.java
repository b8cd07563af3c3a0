/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.util.concurrent.CompletableFuture;

/**
 * The thread on which a tier writes. A builder starts it before anything on the device changes, so
 * that a build which finds no thread leaves the device as it was.
 */
final class WriterThread {
  private static final Runnable NOTHING = () -> {};

  private final CompletableFuture<Runnable> work = new CompletableFuture<>();

  private WriterThread() {}

  /** Starts a thread, which waits for its work. */
  static WriterThread start(String name) {
    WriterThread started = new WriterThread();
    Thread thread = new Thread(() -> started.work.join().run(), "hyperclock-" + name + "-writer");
    thread.setDaemon(true);
    thread.start();
    return started;
  }

  /** Lets the thread run the writer of a tier that is built. */
  void run(RegionWriter writer) {
    work.complete(writer);
  }

  /** Lets the thread end, because the tier cannot be built; too late once it runs a writer. */
  void end() {
    work.complete(NOTHING);
  }
}
