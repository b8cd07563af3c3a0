/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loading")
class AsyncLoaderTest {
  private static final Executor DIRECT = Runnable::run;

  private final Flights<String> flights = new Flights<>();
  private final LoadCounters counters = new LoadCounters();
  private final AsyncLoader<String> loads =
      new AsyncLoader<>(flights, counters, new Loader<>(flights, counters));
  private final AtomicInteger calls = new AtomicInteger();

  /** Loaded values are never shared, as if each had been erased while it was inserted. */
  private static TestForm erased() {
    TestForm form = new TestForm();
    form.landing = entry -> new Landing<>(entry.value(), Shared.again());
    return form;
  }

  private String value(long lo) {
    assertThat(calls.incrementAndGet()).as("calls").isEqualTo(1);
    return "text " + lo;
  }

  @Test
  void ownValueIsGivenIfItCannotBeShared() {
    CompletableFuture<String> future =
        loads.load(erased().request(1), DIRECT, (hi, lo) -> value(lo));
    assertThat(future).isCompletedWithValue("text 1");
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void valueOfAStageIsGivenIfItCannotBeShared() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> future =
        loads.load(
            erased().request(1),
            (hi, lo) -> {
              value(lo);
              return stage;
            });
    stage.complete("by stage");
    assertThat(future).isCompletedWithValue("by stage");
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void valueThatNobodyTakesIsDiscarded() {
    TestForm form = erased();
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> future = loads.load(form.request(1), (hi, lo) -> stage);
    future.cancel(false);
    stage.complete("by stage");
    assertThat(form.discarded).containsExactly("by stage");
  }
}
