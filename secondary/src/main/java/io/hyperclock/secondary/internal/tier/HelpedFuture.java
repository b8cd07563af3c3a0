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
   * already or it would take too long; may block on I/O of this machine. Afterwards the future is
   * done, or has to be waited for.
   */
  public abstract void help();
}
