/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.NoOpSecondaryCache;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Answers that a tier has given, and that nobody will be handed, are freed. */
class TiersWithoutMemoryTest {
  private static final int KEYS = 4;

  private final List<Long> freed = new ArrayList<>();
  private final EntryType<Object> type =
      EntryType.<Object>named("test")
          .codec(codec())
          .disposer((hi, lo, value) -> freed.add(lo))
          .build();
  private final List<TierRequest<Object>> requests = new ArrayList<>();
  private final List<CompletableFuture<TierResult<Object>>> given = new ArrayList<>();

  @SuppressWarnings("unchecked")
  private static EntryCodec<Object> codec() {
    return (EntryCodec<Object>) (EntryCodec<?>) EntryCodec.ofBytes();
  }

  /** Not an {@link OutOfMemoryError}: JUnit would end all tests, where one fails. */
  private static InternalError failure() {
    return new InternalError("as if there were no memory, on purpose");
  }

  private static Tiers over(List<CompletableFuture<TierResult<Object>>> answers) {
    NoOpSecondaryCache inner = new NoOpSecondaryCache();
    SecondaryCache tier =
        (SecondaryCache)
            Proxy.newProxyInstance(
                SecondaryCache.class.getClassLoader(),
                new Class<?>[] {SecondaryCache.class},
                (proxy, method, arguments) ->
                    method.getName().equals("lookupAll")
                        ? answers
                        : method.invoke(inner, arguments));
    Duration limit = Duration.ofHours(1);
    return new Tiers(List.of(tier), new Watch(null, limit, System::nanoTime), limit);
  }

  @Test
  void answersThatCannotBeCopiedAreFreed() {
    for (long lo = 0; lo < KEYS; lo++) {
      requests.add(TierRequest.of(1, lo, type));
      given.add(new CompletableFuture<>());
    }
    given.get(0).complete(TierResult.hit(new Object(), 10, false));
    given.set(
        1,
        new CompletableFuture<>() {
          @Override
          public boolean isDone() {
            throw failure();
          }
        });
    given.set(2, null);
    List<CompletableFuture<TierResult<Object>>> narrow =
        new ArrayList<>(given) {
          @Override
          public Stream<CompletableFuture<TierResult<Object>>> stream() {
            throw failure();
          }
        };
    assertThat(over(narrow).lookupAll(0, requests))
        .hasSize(KEYS)
        .allMatch(answer -> answer.join().outcome() == TierOutcome.UNAVAILABLE);
    assertThat(freed).containsExactly(0L);
    given.get(3).complete(TierResult.hit(new Object(), 10, false));
    assertThat(freed).containsExactly(0L, 3L);
  }

  @Test
  void aListWithoutASizeIsAFailureOfTheTier() {
    for (long lo = 0; lo < KEYS; lo++) {
      requests.add(TierRequest.of(1, lo, type));
    }
    Tiers tiers =
        over(
            new ArrayList<>() {
              @Override
              public int size() {
                throw failure();
              }
            });
    assertThat(tiers.lookupAll(0, requests))
        .hasSize(KEYS)
        .allMatch(answer -> answer.join().outcome() == TierOutcome.UNAVAILABLE);
    assertThat(tiers.failures(0)).isEqualTo(1);
  }
}
