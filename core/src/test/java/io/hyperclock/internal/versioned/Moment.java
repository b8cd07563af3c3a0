/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

/** An access of a slot, by its number, at which something else happens. */
final class Moment {
  private int left = -1;
  private Runnable other = () -> {};

  /** Another operation will run at this access, counted from now. */
  void at(int access, Runnable operation) {
    left = access;
    other = operation;
  }

  void access() {
    if (left-- == 0) {
      other.run();
    }
  }

  /** Whether that access has come; if not, it will not come any more. */
  boolean hasCome() {
    boolean hasCome = left < 0;
    cancel();
    return hasCome;
  }

  void cancel() {
    left = -1;
  }
}
