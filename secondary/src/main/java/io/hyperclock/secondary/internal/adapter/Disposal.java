/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;

/** Frees values that the primary has given up to the adapter, or never took. */
final class Disposal {
  private static final System.Logger LOG = System.getLogger(Disposal.class.getName());

  private Disposal() {}

  static void dispose(EntryType<?> type, long hi, long lo, Object value) {
    @SuppressWarnings("unchecked")
    Disposer<Object> disposer = (Disposer<Object>) type.disposer();
    if (disposer == null) {
      return;
    }
    try {
      disposer.dispose(hi, lo, value);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.WARNING, "a disposer threw: type=" + type.name(), e);
    }
  }
}
