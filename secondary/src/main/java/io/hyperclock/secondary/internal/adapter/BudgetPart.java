/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.internal.budget.SharedBudget;

/**
 * A part of the budget, which gives itself back. Made before it is taken, because who gives it back
 * may have no memory for anything.
 */
final class BudgetPart implements Runnable {
  private final SharedBudget budget;
  private final EvictionTimestamps bounds;
  private final EntryRole role;
  private final long bytes;

  BudgetPart(SharedBudget budget, EvictionTimestamps bounds, EntryRole role, long bytes) {
    this.budget = budget;
    this.bounds = bounds;
    this.role = role;
    this.bytes = bytes;
  }

  /** Takes it, whatever is left. If this throws an error, nothing is taken. */
  void take() {
    StackReserve.require();
    bounds.enter();
    try {
      budget.reserve(role, bytes);
    } finally {
      exit();
    }
  }

  /** Takes it unless the budget refuses. If this throws an error, nothing is taken. */
  boolean tryTake() {
    StackReserve.require();
    bounds.enter();
    try {
      return budget.tryReserve(role, bytes);
    } finally {
      exit();
    }
  }

  /** Gives it back. If this throws an error, it is still taken. */
  @Override
  public void run() {
    StackReserve.requireLittle();
    boolean entered = entered();
    try {
      budget.release(role, bytes);
    } finally {
      if (entered) {
        exit();
      }
    }
  }

  /** Without memory for a bound, the thread's last one, or none, holds for what is evicted. */
  private boolean entered() {
    try {
      bounds.enter();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** What was taken or given back stays so. An older bound only costs offers. */
  private void exit() {
    try {
      bounds.exit();
    } catch (OutOfMemoryError e) {
      // The bound stays.
    }
  }
}
