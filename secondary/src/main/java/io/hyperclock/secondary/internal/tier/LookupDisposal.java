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
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
      @Nullable CompletableFuture<TierResult<Object>> answer, EntryType<?> type, long hi, long lo) {
    if (answer != null && answer.isDone()) {
      disposeNow(answer, type, hi, lo); // Needs no memory.
    } else if (answer != null) {
      answer.thenAccept(result -> dispose(result, type, hi, lo));
    }
  }

  /**
   * The same for many answers, from an index on; one that is broken keeps no other value, and a
   * broken list throws nothing.
   */
  public static void disposeAll(
      @Nullable List<CompletableFuture<TierResult<Object>>> answers,
      List<TierRequest<Object>> requests,
      int from) {
    if (answers == null) {
      return;
    }
    int size = size(answers);
    for (int i = from; i < size; i++) {
      try {
        TierRequest<Object> of = requests.get(Math.min(i, requests.size() - 1));
        disposeLater(answers.get(i), of.type(), of.keyHi(), of.keyLo());
      } catch (Throwable brokenOrNoMemory) {
        continue;
      }
    }
  }

  private static int size(List<?> answers) {
    try {
      return answers.size();
    } catch (Throwable broken) {
      return 0;
    }
  }

  private static void disposeNow(
      CompletableFuture<TierResult<Object>> answer, EntryType<?> type, long hi, long lo) {
    TierResult<Object> result;
    try {
      result = answer.getNow(null);
    } catch (CompletionException | CancellationException none) {
      return;
    }
    dispose(result, type, hi, lo);
  }

  /** Frees the value of a result that no caller gets, if it has one. */
  public static void dispose(TierResult<?> result, TierRequest<?> request) {
    dispose(result, request.type(), request.keyHi(), request.keyLo());
  }

  private static void dispose(@Nullable TierResult<?> result, EntryType<?> type, long hi, long lo) {
    Object value = result == null ? null : result.value();
    if (value != null) {
      dispose(type, hi, lo, value);
    }
  }
}
