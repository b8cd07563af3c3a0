/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server over a bad line: commands wait until {@link #step} carries one out, in any order, maybe
 * twice, maybe after its caller has been told that it failed, maybe never. By one thread.
 */
final class FickleStore implements RemoteStore {
  private final Random random;
  private final Map<ByteBuffer, byte[]> values = new HashMap<>();
  private final List<Runnable> waiting = new ArrayList<>();

  /** Whether commands are carried out at once, and answered. */
  boolean orderly = true;

  FickleStore(Random random) {
    this.random = random;
  }

  private <T> CompletableFuture<T> command(boolean isRead, Supplier<T> command) {
    if (orderly) {
      return CompletableFuture.completedFuture(command.get());
    }
    if (random.nextInt(10) == 0) {
      return CompletableFuture.failedFuture(new Failure(Failure.Kind.NOT_SENT, "on purpose"));
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    waiting.add(
        () -> {
          switch (random.nextInt(isRead ? 3 : 8)) {
            case 0 -> answer.completeExceptionally(new IllegalStateException("lost"));
            case 3 -> {
              answer.completeExceptionally(new IllegalStateException("late"));
              waiting.add(command::get);
            }
            case 4 -> {
              command.get();
              waiting.add(() -> answer.complete(command.get()));
            }
            case 5 -> {
              command.get();
              answer.completeExceptionally(new IllegalStateException("answer lost"));
            }
            default -> answer.complete(command.get());
          }
        });
    return answer;
  }

  /** Something happens; false if nothing was left to. */
  boolean step() {
    if (waiting.isEmpty()) {
      return false;
    }
    waiting.remove(random.nextInt(waiting.size())).run();
    return true;
  }

  /** Carries all out. */
  void settle() {
    while (step()) {}
  }

  @Override
  public CompletableFuture<List<byte @Nullable []>> mget(List<byte[]> keys) {
    return command(
        true,
        () -> {
          List<byte @Nullable []> found = new ArrayList<>();
          keys.forEach(key -> found.add(values.get(ByteBuffer.wrap(key))));
          return found;
        });
  }

  @Override
  public CompletableFuture<String> psetex(byte[] key, long ttlMillis, byte[] value) {
    return command(
        false,
        () -> {
          values.put(ByteBuffer.wrap(key), value);
          return "OK";
        });
  }

  @Override
  public CompletableFuture<Integer> del(List<byte[]> keys) {
    return command(
        false,
        () -> {
          keys.forEach(key -> values.remove(ByteBuffer.wrap(key)));
          return keys.size();
        });
  }

  @Override
  public void close() {}
}
