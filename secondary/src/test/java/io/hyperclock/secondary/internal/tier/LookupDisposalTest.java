/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.LogLines;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Values that nobody gets are freed, whatever their disposers throw; the log says so rarely. */
class LookupDisposalTest {
  @Test
  void theDisposerOfTheTypeGetsKeyAndValue() {
    List<String> freed = new ArrayList<>();
    EntryType<String> type =
        EntryType.<String>named("text")
            .disposer((hi, lo, v) -> freed.add(hi + "/" + lo + v))
            .build();
    LookupDisposal.dispose(type, 1, 2, "x");
    try (LogLines lines = new LogLines(SecondaryCache.class.getName())) {
      EntryType<String> kept = EntryType.<String>named("kept").build();
      for (int i = 0; i < 5_000; i++) { // Of what goes wrong not every line is written.
        LookupDisposal.dispose(kept, 3, 4, "y");
      }
      assertThat(lines.with("")).as("nothing is wrong with that").isEmpty();
    }
    assertThat(freed).containsExactly("1/2x");
  }

  @Test
  void whatDisposersThrowIsLoggedEverMoreRarely() {
    EntryType<String> type =
        EntryType.<String>named("thrower")
            .disposer(
                (hi, lo, value) -> {
                  throw new IllegalStateException(value);
                })
            .build();
    try (LogLines lines = new LogLines(SecondaryCache.class.getName())) {
      String line = "WARNING the disposer of a value threw: type=thrower, count=";
      // The count is that of the process: others may have gone before, and the next line be far.
      for (int i = 0; i < 1000 || i < 1 << 20 && lines.with(line).isEmpty(); i++) {
        LookupDisposal.dispose(type, 0, i, "x");
      }
      assertThat(lines.with(line)).hasSizeBetween(1, 10);
      assertThat(lines.causesWith("")).allSatisfy(cause -> assertThat(cause).hasMessage("x"));
    }
  }

  private static EntryType<byte[]> freeing(List<String> freed) {
    return EntryType.<byte[]>named("bytes")
        .codec(EntryCodec.ofBytes())
        .disposer((hi, lo, value) -> freed.add(hi + "/" + lo + " " + Arrays.toString(value)))
        .build();
  }

  private static TierResult<Object> hit(int number) {
    return TierResult.hit(new byte[] {(byte) number}, 1, false);
  }

  private static CompletableFuture<TierResult<Object>> ended(TierResult<Object> result) {
    return CompletableFuture.completedFuture(result);
  }

  /** Later, where they are not there yet; whatever came in place of others keeps none. */
  @Test
  void answersThatNobodyWaitsForAreFreed() {
    List<String> freed = new ArrayList<>();
    EntryType<byte[]> type = freeing(freed);
    List<TierRequest<Object>> requests = new ArrayList<>();
    for (int lo = 0; lo < 6; lo++) {
      requests.add(TierRequest.of(1, lo, type));
    }
    CompletableFuture<TierResult<Object>> late = new CompletableFuture<>();
    CompletableFuture<TierResult<Object>> cancelled = new CompletableFuture<>();
    cancelled.cancel(false);
    List<CompletableFuture<TierResult<Object>>> answers = new ArrayList<>();
    answers.add(ended(hit(0)));
    answers.add(late);
    answers.add(CompletableFuture.failedFuture(new IllegalStateException()));
    answers.add(null);
    answers.add(cancelled);
    answers.add(ended(TierResult.miss(TierOutcome.ABSENT)));
    answers.add(ended(hit(6)));
    LookupDisposal.disposeAll(answers, requests, 1);
    assertThat(freed).as("more than were asked for").containsExactly("1/5 [6]");
    late.complete(hit(1));
    assertThat(freed).containsExactly("1/5 [6]", "1/1 [1]");
  }

  @Test
  void answersWithoutAValueThrowNothing() {
    List<String> freed = new ArrayList<>();
    EntryType<byte[]> type = freeing(freed);
    LookupDisposal.disposeLater(null, type, 1, 1);
    LookupDisposal.disposeLater(ended(null), type, 1, 1);
    LookupDisposal.disposeLater(ended(TierResult.miss(TierOutcome.ABSENT)), type, 1, 1);
    LookupDisposal.disposeLater(
        CompletableFuture.failedFuture(new IllegalStateException()), type, 1, 1);
    assertThat(freed).isEmpty();
  }

  @Test
  void resultThatNobodyGetsIsFreedAsOneOfItsRequest() {
    List<String> freed = new ArrayList<>();
    LookupDisposal.dispose(hit(4), TierRequest.of(2, 3, freeing(freed)));
    assertThat(freed).containsExactly("2/3 [4]");
  }

  @Test
  void brokenListsOfAnswersThrowNothing() {
    List<String> freed = new ArrayList<>();
    List<TierRequest<Object>> requests = List.of(TierRequest.of(1, 1, freeing(freed)));
    LookupDisposal.disposeAll(null, requests, 0);
    LookupDisposal.disposeAll(new Broken(-1), requests, 0);
    LookupDisposal.disposeAll(new Broken(3), requests, 0);
    assertThat(freed).containsExactly("1/1 [0]", "1/1 [2]");
  }

  /** Knows no size, or does not give the second answer. */
  private static final class Broken extends AbstractList<CompletableFuture<TierResult<Object>>> {
    private final int size;

    Broken(int size) {
      this.size = size;
    }

    @Override
    public CompletableFuture<TierResult<Object>> get(int index) {
      if (index == 1) {
        throw new IllegalStateException("no answer, on purpose");
      }
      return ended(hit(index));
    }

    @Override
    public int size() {
      if (size < 0) {
        throw new IllegalStateException("no size, on purpose");
      }
      return size;
    }
  }
}
