/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.secondary.remote.RemoteStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server of keys and values that refuses, loses, delays, doubles and never answers commands. */
final class FlakyStore implements RemoteStore {
  private final Map<ByteBuffer, byte[]> values = new ConcurrentHashMap<>();
  private final Executor executor;
  private final Mishaps mishaps;

  FlakyStore(Executor executor, Mishaps mishaps) {
    this.executor = executor;
    this.mishaps = mishaps;
  }

  private <T> CompletableFuture<T> command(Supplier<T> command) {
    SplittableRandom random = mishaps.random();
    if (mishaps.strikes(random, 100)) {
      return CompletableFuture.failedFuture(new Failure(Failure.Kind.NOT_SENT, "injected"));
    }
    if (mishaps.strikes(random, 200)) {
      throw new Mishaps.Mishap("store");
    }
    if (mishaps.strikes(random, 100)) {
      return CompletableFuture.failedFuture(new Mishaps.MishapException("lost"));
    }
    if (mishaps.strikes(random, 200)) {
      return new CompletableFuture<>();
    }
    if (mishaps.strikes(random, 100)) {
      Executor late =
          CompletableFuture.delayedExecutor(random.nextInt(60), TimeUnit.MILLISECONDS, executor);
      return CompletableFuture.supplyAsync(command, late);
    }
    if (mishaps.strikes(random, 200)) {
      // Before the answer: a server carries out nothing that it has already answered.
      command.get();
    }
    if (mishaps.strikes(random, 200)) {
      return CompletableFuture.supplyAsync(command, executor)
          .thenApply(
              answer -> {
                throw new Mishaps.Mishap("answer lost");
              });
    }
    return random.nextBoolean()
        ? CompletableFuture.completedFuture(command.get())
        : CompletableFuture.supplyAsync(command, executor);
  }

  @Override
  public CompletableFuture<List<byte @Nullable []>> mget(List<byte[]> keys) {
    List<byte[]> asked = List.copyOf(keys);
    return command(
        () -> {
          List<byte @Nullable []> found = new ArrayList<>();
          asked.forEach(key -> found.add(values.get(ByteBuffer.wrap(key))));
          return found;
        });
  }

  @Override
  public CompletableFuture<String> psetex(byte[] key, long ttlMillis, byte[] value) {
    return command(
        () -> {
          values.put(ByteBuffer.wrap(key), value);
          return "OK";
        });
  }

  @Override
  public CompletableFuture<Integer> del(List<byte[]> keys) {
    List<byte[]> gone = List.copyOf(keys);
    return command(
        () -> {
          gone.forEach(key -> values.remove(ByteBuffer.wrap(key)));
          return gone.size();
        });
  }

  @Override
  public void close() {
    values.clear();
  }
}
