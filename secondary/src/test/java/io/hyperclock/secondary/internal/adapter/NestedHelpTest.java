/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.internal.tier.HelpedFuture;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Lookups of foreign code that runs on a thread which does the work of others in waitAll. */
class NestedHelpTest {
  private static final EntryType<byte[]> BYTES =
      EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();

  /** Has all that was read, and leaves it to the thread that helps; what is read apart is there. */
  private final Queue<Runnable> ready = new ArrayDeque<>();

  private final SecondaryCache map = new MapSecondaryCache(1 << 20);
  private final AtomicInteger nestedHits = new AtomicInteger();
  private volatile Runnable onDecode = () -> {};

  private final EntryType<byte[]> hooked =
      TestValues.showing(
          value -> {
            if (value[0] == 0) {
              onDecode.run();
            }
          });

  private SecondaryCache slowTier() {
    return (SecondaryCache)
        Proxy.newProxyInstance(
            SecondaryCache.class.getClassLoader(),
            new Class<?>[] {SecondaryCache.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("lookupAll")) {
                return later((List<?>) arguments[0]);
              }
              try {
                return method.invoke(map, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private List<CompletableFuture<TierResult<Object>>> later(List<?> requests) {
    List<CompletableFuture<TierResult<Object>>> answers = new ArrayList<>();
    for (Object request : requests) {
      Helped answer = new Helped();
      ready.add(() -> answer.complete(map.lookup(untyped(request)).join()));
      answers.add(answer);
    }
    return answers;
  }

  @SuppressWarnings("unchecked")
  private static TierRequest<Object> untyped(Object request) {
    return (TierRequest<Object>) request;
  }

  private final class Helped extends HelpedFuture<TierResult<Object>> {
    @Override
    public void help(long nanos, Runnable afterEach) {
      for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
        next.run();
        afterEach.run();
      }
    }
  }

  private TieredBlockCache<byte[]> open() {
    for (byte key = 0; key < 3; key++) {
      map.insert(1, key, new byte[] {key}, BYTES, true);
    }
    return TieredBlockCache.builder(
            BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(500))
        .tier(slowTier())
        .tierTimeout(Duration.ofDays(1))
        .build();
  }

  private void lookUp(TieredBlockCache<byte[]> cache, long key) {
    try (Handle<byte[]> handle = cache.lookup(1, key, hooked)) {
      if (handle != null && handle.value()[0] == key) {
        nestedHits.incrementAndGet();
      }
    }
  }

  private static void inTime(Runnable waits) throws Exception {
    FutureTask<?> task = new FutureTask<>(waits, null);
    Thread thread = new Thread(task, "waiter");
    thread.setDaemon(true);
    thread.start();
    task.get(TierTestLimits.SECONDS, SECONDS);
  }

  @Test
  void codecLooksUpWhatItsThreadIsToDecode() throws Exception {
    TieredBlockCache<byte[]> cache = open();
    List<AsyncLookup<byte[]>> lookups =
        cache.startLookups(new long[] {1, 0, 1, 1, 1, 2}, hooked, null);
    onDecode = () -> lookUp(cache, 1);
    inTime(() -> cache.waitAll(lookups));
    assertThat(lookups).allMatch(AsyncLookup::isDone);
    assertThat(nestedHits).hasValue(1);
    lookups.forEach(AsyncLookup::close);
    cache.close();
  }

  @Test
  void dependentLooksUpWhatItsThreadIsToDecode() throws Exception {
    TieredBlockCache<byte[]> cache = open();
    List<AsyncLookup<byte[]>> lookups =
        cache.startLookups(new long[] {1, 0, 1, 1, 1, 2}, hooked, null);
    CompletableFuture<Void> dependent =
        lookups
            .get(0)
            .toFuture()
            .thenAccept(
                handle -> {
                  handle.close();
                  lookUp(cache, 1);
                });
    inTime(() -> cache.waitAll(lookups));
    assertThat(dependent).isCompleted();
    assertThat(nestedHits).hasValue(1);
    lookups.forEach(AsyncLookup::close);
    cache.close();
  }

  /** A thread that does not help any more joins what others read. */
  @Test
  void afterwardsItsLookupsJoinAgain() throws Exception {
    TieredBlockCache<byte[]> cache = open();
    List<AsyncLookup<byte[]>> lookups = cache.startLookups(new long[] {1, 0, 1, 1}, hooked, null);
    cache.waitAll(lookups);
    List<AsyncLookup<byte[]>> next = cache.startLookups(new long[] {1, 2}, hooked, null);
    AsyncLookup<byte[]> joined = cache.startLookup(1, 2, hooked);
    assertThat(joined.isDone()).isFalse();
    cache.waitAll(next);
    assertThat(joined.isDone()).isTrue();
    lookups.forEach(AsyncLookup::close);
    next.forEach(AsyncLookup::close);
    joined.close();
    cache.close();
  }
}
