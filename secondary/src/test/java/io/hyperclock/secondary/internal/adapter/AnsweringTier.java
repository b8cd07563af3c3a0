/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.internal.tier.HelpedFuture;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** A tier of version numbers, whose answers may wait until the test gives them. */
final class AnsweringTier implements SecondaryCache {
  private final String name;
  private final boolean erasesOnAdvice;
  private final ToIntFunction<Object> version;
  private final IntFunction<Object> value;
  private final Map<Key128, Integer> held = new HashMap<>();
  private final Deque<Runnable> owed = new ArrayDeque<>();
  DropListener listener;

  /** Whether answers wait. */
  boolean waits;

  /** Whether it takes what is offered. */
  boolean accepts = true;

  /** Told of the value of an answer that nobody waits for. */
  Consumer<Object> onUnheard = unheard -> {};

  /** Told of the value of each answer that has waited. */
  Consumer<Object> onAnswer = value -> {};

  /** Runs within the next insert. */
  Runnable onInsert = () -> {};

  /**
   * A new tier.
   *
   * @param version of a value
   * @param value makes one of a version
   */
  AnsweringTier(
      String name,
      boolean erasesOnAdvice,
      ToIntFunction<Object> version,
      IntFunction<Object> value) {
    this.name = name;
    this.erasesOnAdvice = erasesOnAdvice;
    this.version = version;
    this.value = value;
  }

  /** Holds a value from now on. */
  void hold(Key128 key, int ofVersion) {
    held.put(key, ofVersion);
  }

  /** Whether answers wait. */
  boolean owes() {
    return !owed.isEmpty();
  }

  /** Gives the answers that wait. */
  void answerAll() {
    for (Runnable next = owed.poll(); next != null; next = owed.poll()) {
      try {
        next.run();
      } catch (StackOverflowError e) {
        owed.addFirst(next); // An answer is owed until it is given.
        throw e;
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T taken, EntryType<T> type, boolean force) {
    Runnable within = onInsert;
    onInsert = () -> {};
    within.run();
    if (accepts) {
      held.put(new Key128(keyHi, keyLo), version.applyAsInt(taken));
    }
    return accepts;
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    if (!waits) {
      return CompletableFuture.completedFuture(answer(request));
    }
    Helped<V> later = new Helped<>();
    owed.add(
        () -> {
          TierResult<V> answer = answer(request);
          if (answer.isHit()) {
            onAnswer.accept(answer.value());
            if (later.getNumberOfDependents() == 0) {
              onUnheard.accept(answer.value());
            }
          }
          later.complete(answer);
        });
    return later;
  }

  @SuppressWarnings("unchecked")
  private <V> TierResult<V> answer(TierRequest<V> request) {
    Key128 key = new Key128(request.keyHi(), request.keyLo());
    boolean forgets = erasesOnAdvice && request.adviseErase();
    Integer found = forgets ? held.remove(key) : held.get(key);
    return found == null
        ? TierResult.miss(TierOutcome.ABSENT)
        : TierResult.hit((V) value.apply(found), TierScenario.CHARGE, !forgets);
  }

  /** The thread that helps answers all. */
  private final class Helped<V> extends HelpedFuture<TierResult<V>> {
    @Override
    public void help(long nanos, Runnable afterEach) {
      answerAll();
      afterEach.run();
    }
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    held.remove(new Key128(keyHi, keyLo));
  }

  @Override
  public boolean erasesOnAdvice() {
    return erasesOnAdvice;
  }

  @Override
  public void onDrop(DropListener to) {
    listener = to;
  }

  @Override
  public void setCapacity(long capacityBytes) {}

  @Override
  public TierState state() {
    return TierState.OPEN;
  }

  @Override
  public TierStats stats() {
    return new TierCounters().toStats(0, 0, 0);
  }

  @Override
  public void close() {}
}
