/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

/** Ends scopes in both steps, as {@link ReadScopes} does. */
public final class Scopes {
  private Scopes() {}

  /** Ends a scope, and frees what only it held back. */
  public static void exit(Reclaimer reclaimer, int cell) {
    reclaimer.end(cell);
    reclaimer.ended(cell);
  }
}
