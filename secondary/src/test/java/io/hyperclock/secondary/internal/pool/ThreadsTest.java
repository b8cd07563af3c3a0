/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.pool;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/** Threads that nobody ends keep no process alive, and do not stay. */
class ThreadsTest {
  /** Also where the thread that has them made is none. */
  @Test
  void daemonsAreNumberedFromOneOn() throws Exception {
    ThreadFactory factory = Threads.daemons("name");
    List<Thread> made = new CopyOnWriteArrayList<>();
    Runnable twice =
        () -> {
          made.add(factory.newThread(() -> {}));
          made.add(factory.newThread(() -> {}));
        };
    Thread maker = new Thread(twice);
    maker.setDaemon(false);
    maker.start();
    maker.join();
    assertThat(made).extracting(Thread::getName).containsExactly("name-1", "name-2");
    assertThat(made).allMatch(Thread::isDaemon);
  }

  @Test
  void threadsOfAPoolEndWhenThereIsNothingToDo() throws Exception {
    ThreadPoolExecutor pool = Threads.pool(2, Threads.daemons("pool"));
    try {
      assertThat(pool.getKeepAliveTime(SECONDS)).isEqualTo(Threads.IDLE_SECONDS);
      pool.setKeepAliveTime(1, MILLISECONDS);
      Thread worker = pool.submit(Thread::currentThread).get(TierTestLimits.SECONDS, SECONDS);
      worker.join(SECONDS.toMillis(TierTestLimits.SECONDS));
      assertThat(worker.isAlive()).isFalse();
    } finally {
      pool.shutdownNow();
    }
  }
}
