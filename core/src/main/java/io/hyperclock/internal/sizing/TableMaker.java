/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next table of a shard: a small one at once, a large one by an executor, because to
 * allocate it takes milliseconds that no insert should pay for. Meanwhile the shard goes on with
 * the table that it has. An executor that refuses the task, or does not get to it for long, costs
 * one insert that time. To be used by one thread at a time.
 *
 * @param <S> the shard
 */
public final class TableMaker<S> {
  /** Slots of the largest table that is made at once. */
  public static final int SLOTS_AT_ONCE = 1 << 14;

  /** Times that a writer asks for a table before it makes it. */
  static final int MOST_ASKED = 1 << 16;

  private final Executor executor;
  private @Nullable Order<S> order;
  private int asked;

  public TableMaker(Executor executor) {
    this.executor = executor;
  }

  /** Slots of the table that is being made for a shard, or 0 for none. */
  public int slotsFor(S shard) {
    Order<S> current = order;
    return current != null && current.from == shard ? current.slots : 0;
  }

  /**
   * The shard with the next table, or null while that is being made. What it throws is what the
   * maker threw: then none is being made.
   *
   * @param last the shard with the present table
   * @param wanted slots of the next
   * @param maker makes it; may be called by another thread, also after the result is of no use
   */
  public @Nullable S make(S last, int wanted, Callable<S> maker) throws Exception {
    if (wanted <= SLOTS_AT_ONCE) {
      forget();
      return maker.call();
    }
    Order<S> current = order;
    if (current == null || current.from != last || current.slots != wanted) {
      forget();
      current = new Order<>(last, wanted, new FutureTask<>(maker));
      order = current;
      asked = 0;
      begin(current.task);
    }
    if (++asked > MOST_ASKED) {
      // Does nothing if the executor is at it, or has done it.
      current.task.run();
    }
    if (!current.task.isDone()) {
      return null;
    }
    forget();
    try {
      return current.task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    } catch (CancellationException e) {
      return null;
    }
  }

  private void begin(FutureTask<S> task) {
    try {
      executor.execute(task);
    } catch (RuntimeException e) {
      // Refused: shut down, or too much to do.
      task.run();
    }
  }

  /** Gives up what is being made. */
  public void forget() {
    Order<S> current = order;
    order = null;
    if (current != null) {
      current.task.cancel(false);
    }
  }

  /** A table that is being made. */
  private record Order<S>(S from, int slots, FutureTask<S> task) {}
}
