/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that answers as its test says; first, that nothing is there and all went well. */
final class ScriptedStore implements RemoteStore {
  final AtomicInteger reads = new AtomicInteger();
  final List<byte[]> removed = new CopyOnWriteArrayList<>();
  final AtomicInteger closes = new AtomicInteger();
  volatile @Nullable Supplier<CompletionStage<List<byte @Nullable []>>> onRead;
  volatile Supplier<CompletionStage<?>> onWrite = () -> CompletableFuture.completedFuture("OK");
  volatile Supplier<CompletionStage<?>> onRemove = () -> CompletableFuture.completedFuture(1L);
  volatile Runnable onClose = () -> {};

  static Failure notSent() {
    return new Failure(Failure.Kind.NOT_SENT, "not connected");
  }

  static Failure refused() {
    return new Failure(Failure.Kind.REFUSED, "OOM");
  }

  @Override
  public CompletionStage<List<byte @Nullable []>> mget(List<byte[]> keys) {
    reads.incrementAndGet();
    Supplier<CompletionStage<List<byte @Nullable []>>> script = onRead;
    if (script != null) {
      return script.get();
    }
    List<byte @Nullable []> nothing = new ArrayList<>();
    keys.forEach(key -> nothing.add(null));
    return CompletableFuture.completedFuture(nothing);
  }

  @Override
  public CompletionStage<?> psetex(byte[] key, long ttlMillis, byte[] value) {
    return onWrite.get();
  }

  @Override
  public CompletionStage<?> del(List<byte[]> keys) {
    removed.addAll(keys);
    return onRemove.get();
  }

  @Override
  public void close() {
    closes.incrementAndGet();
    onClose.run();
  }
}
