/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.observe.UserCode;
import java.util.function.BiConsumer;

/** Frees loaded values that the cache did not take. */
public final class Disposal {
  private final BiConsumer<EntryType<?>, Throwable> failures;

  public Disposal(BiConsumer<EntryType<?>, Throwable> failures) {
    this.failures = failures;
  }

  <V> void dispose(LoadedEntry<V> entry) {
    dispose(entry.hi(), entry.lo(), entry.value(), entry.type());
  }

  <V> void dispose(long hi, long lo, V value, EntryType<? super V> type) {
    @SuppressWarnings("unchecked")
    Disposer<? super V> disposer = (Disposer<? super V>) type.disposer();
    if (disposer == null) {
      return;
    }
    try {
      UserCode.dispose(disposer, hi, lo, value);
    } catch (Throwable e) {
      failures.accept(type, e);
    }
  }
}
