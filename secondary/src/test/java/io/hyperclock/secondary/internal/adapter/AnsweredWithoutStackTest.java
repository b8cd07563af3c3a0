/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads complete answers where their stack ends, and no thread waits for the lookups. */
@Timeout(TierTestLimits.TEST_SECONDS)
class AnsweredWithoutStackTest {
  private static final int KEYS = 256;

  private final List<CompletableFuture<TierResult<Object>>> answers = new ArrayList<>();
  private final Parts parts =
      new Parts(new ConcurrentLinkedQueue<>(), Runnable::run, List.of(asked()), System::nanoTime);

  /** A tier that leaves its answers to the test. */
  private SecondaryCache asked() {
    return (SecondaryCache)
        Proxy.newProxyInstance(
            SecondaryCache.class.getClassLoader(),
            new Class<?>[] {SecondaryCache.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "name" -> "asked";
                  case "lookup" -> answerTo((TierRequest<?>) arguments[0]);
                  case "erasesOnAdvice", "isShared" -> false;
                  default -> null;
                });
  }

  private Object answerTo(TierRequest<?> request) {
    CompletableFuture<TierResult<Object>> answer = new CompletableFuture<>();
    answers.add(answer);
    return answer;
  }

  /** When the limit passes what is there is found, and no value is lost. */
  @Test
  void limitFindsWhatIsThere() throws Exception {
    List<AsyncLookup<Object>> lookups = new ArrayList<>();
    List<TierResult<Object>> hits = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      lookups.add(parts.reads.start(1, key, parts.type, null));
      hits.add(TierResult.hit(new Object(), 10, true));
    }
    answers.get(0).complete(hits.get(0)); // What is called is loaded.
    Thread thread = new Thread(() -> answerFromTheEnd(hits, new int[] {1}));
    thread.start();
    thread.join();
    for (int key = 0; key < KEYS; key++) {
      answers.get(key).complete(hits.get(key));
    }
    assertThat(lookups).as("some have been left").anyMatch(lookup -> !lookup.isDone());
    parts.letLimitPass();
    parts.expiry.expire();
    for (AsyncLookup<Object> lookup : lookups) {
      try (Handle<Object> handle = lookup.await()) {
        assertThat(handle).isNotNull();
      }
    }
    assertThat(parts.registry.isIdle()).isTrue();
    parts.primary.eraseUnreferenced();
    assertThat(parts.freed).hasValue(KEYS);
  }

  /** Gives one answer at each depth on the way back from where the stack ends. */
  private void answerFromTheEnd(List<TierResult<Object>> hits, int[] next) {
    try {
      answerFromTheEnd(hits, next);
    } catch (StackOverflowError e) {
      // Here, or a few frames further up.
    }
    try {
      if (next[0] < KEYS) {
        int key = next[0]++;
        answers.get(key).complete(hits.get(key));
      }
    } catch (StackOverflowError e) {
      // The next one is given where there is more stack.
    }
  }
}
