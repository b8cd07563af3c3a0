/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Frees values that no caller gets, and that no cache has taken. */
public final class LookupDisposal {
  private static final TierIncidentLog FAILURES =
      new TierIncidentLog(
          System.getLogger(SecondaryCache.class.getName()), "the disposer of a value threw");

  private LookupDisposal() {}

  /** Calls the disposer of the type, if there is one; what that throws is logged. */
  public static void dispose(EntryType<?> type, long hi, long lo, Object value) {
    @SuppressWarnings("unchecked")
    Disposer<Object> disposer = (Disposer<Object>) type.disposer();
    if (disposer == null) {
      return;
    }
    try {
      disposer.dispose(hi, lo, value);
    } catch (Throwable e) {
      FAILURES.report("type=" + type.name(), e);
    }
  }

  /** Frees the value of an answer of which it is not known whose it is, or that comes too late. */
  public static void disposeLater(
      @Nullable CompletableFuture<TierResult<Object>> answer, TierRequest<Object> request) {
    if (answer != null) {
      answer.thenAccept(
          result -> {
            Object value = result == null ? null : result.value();
            if (value != null) {
              dispose(request.type(), request.keyHi(), request.keyLo(), value);
            }
          });
    }
  }
}
