/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import java.util.concurrent.CompletableFuture;

/**
 * A result under way whose work a thread may do itself that has nothing else to do before it is
 * there.
 */
public abstract class HelpedFuture<T> extends CompletableFuture<T> {
  /**
   * Does the work on the calling thread, foreign code included, unless another thread does it
   * already or it would take too long; may block on I/O of this machine, or wait for others to end
   * theirs. It may do the work of other futures that were made together with this one, too.
   * Afterwards the future is done, or has to be waited for.
   *
   * @param nanos for how long to wait for others at most
   * @param afterEach called after each future that was completed here
   */
  public abstract void help(long nanos, Runnable afterEach);
}
