/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

/** An exception that fails again when it is shown. */
public final class MuteException extends RuntimeException {
  private static final long serialVersionUID = 1;

  @Override
  public String toString() {
    throw new IllegalStateException("on purpose");
  }
}
