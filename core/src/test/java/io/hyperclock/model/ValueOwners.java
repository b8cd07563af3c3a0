/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.model.ModelValue.Owner;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Books on who owns which value, and the list of what was found wrong. Every change of ownership
 * goes through it.
 */
final class ValueOwners {
  /** One finding. */
  record Finding(Defect defect, String text) {
    @Override
    public String toString() {
      return defect + ": " + text;
    }
  }

  private static final int KEPT_FINDINGS = 20;

  private final Queue<Finding> findings = new ConcurrentLinkedQueue<>();
  private final AtomicInteger found = new AtomicInteger();

  void report(Defect defect, String text) {
    if (found.getAndIncrement() < KEPT_FINDINGS) {
      findings.add(new Finding(defect, text));
    }
  }

  boolean isBroken() {
    return found.get() > 0;
  }

  List<Finding> findings() {
    return List.copyOf(findings);
  }

  Set<Defect> defects() {
    return findings.stream().map(Finding::defect).collect(Collectors.toUnmodifiableSet());
  }

  /** Call before a value is passed to a cache: it may be freed before the call returns. */
  void offer(ModelValue value) {
    if (!value.pass(Owner.CALLER, Owner.CACHE)) {
      throw new IllegalStateException("a value must be offered by its owner: value=" + value);
    }
  }

  /** The cache refused a value. */
  void handedBack(ModelValue value) {
    if (!value.pass(Owner.CACHE, Owner.CALLER)) {
      report(Defect.DOUBLE_FREE, "refused but not the caller's any more: " + value);
    }
  }

  /** The cache said that it took a value over and let go of it at once. */
  void letGo(ModelValue value) {
    if (!value.isDisposable()) {
      value.pass(Owner.CACHE, Owner.NOBODY);
    } else if (value.owner() != Owner.NOBODY) {
      report(Defect.LEAK, "not freed when the call returned: " + value);
    }
  }

  /** A disposer was called. */
  void disposed(long keyHi, long keyLo, ModelValue value) {
    checkKey(keyHi, keyLo, value, "disposer called");
    checkNobodyReads(value, "freed");
    if (!value.pass(Owner.CACHE, Owner.NOBODY)) {
      report(
          value.owner() == Owner.CALLER ? Defect.CONTRACT : Defect.DOUBLE_FREE,
          "freed though the cache does not own it: " + value);
    }
  }

  /** An eviction listener was called, and will take the value over or not. */
  void evicted(long keyHi, long keyLo, ModelValue value, boolean takeOver) {
    checkKey(keyHi, keyLo, value, "listener called");
    checkNobodyReads(value, "evicted");
    if (value.owner() != Owner.CACHE || !value.isWhole()) {
      report(Defect.DOUBLE_FREE, "evicted though the cache does not own it: " + value);
    } else if (takeOver && !value.pass(Owner.CACHE, Owner.LISTENER)) {
      report(Defect.DOUBLE_FREE, "freed while being evicted: " + value);
    }
  }

  /** The listener frees what it took over. */
  void freedByListener(ModelValue value) {
    if (!value.pass(Owner.LISTENER, Owner.NOBODY)) {
      report(Defect.DOUBLE_FREE, "freed after the listener took it over: " + value);
    }
  }

  private void checkNobodyReads(ModelValue value, String how) {
    if (value.isDisposable() && value.knownReaders() > 0) {
      report(Defect.EARLY_FREE, how + " under " + value.knownReaders() + " readers: " + value);
    }
  }

  /** A value that a read answered with, or that a handle holds. */
  void checkReadable(long keyHi, long keyLo, @Nullable ModelValue value, String where) {
    if (value == null) {
      report(Defect.WRONG_VALUE, where + " gave no value for a found key");
      return;
    }
    checkKey(keyHi, keyLo, value, where);
    Owner owner = value.owner();
    if (owner == Owner.CALLER || (owner == Owner.NOBODY && !value.isDisposable())) {
      report(Defect.WRONG_VALUE, where + " gave a value that was never stored: " + value);
    }
    checkPinned(value, where);
  }

  private void checkKey(long keyHi, long keyLo, ModelValue value, String where) {
    if (!value.isFor(keyHi, keyLo)) {
      report(
          Defect.WRONG_VALUE, String.format("%s of key %x:%x with %s", where, keyHi, keyLo, value));
    }
  }

  /** A value under a pin. */
  void checkPinned(ModelValue value, String where) {
    if (value.isDisposable() && (value.owner() != Owner.CACHE || !value.isWhole())) {
      report(Defect.EARLY_FREE, where + ": freed or given away under a pin: " + value);
    }
  }

  /** Reports values that the cache owns but that nobody can reach. */
  void checkNoLeak(Collection<ModelValue> created, Set<ModelValue> reachable) {
    for (ModelValue value : created) {
      if (value.isDisposable() && value.owner() == Owner.CACHE && !reachable.contains(value)) {
        report(Defect.LEAK, "neither freed nor reachable: " + value);
      }
    }
  }
}
