/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockLoader;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.internal.observe.IncidentLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Values of a cache that keeps nothing. */
final class TestForm implements ResultKind<String, String> {
  private static final EntryType<String> TYPE = EntryType.<String>named("text").build();
  private static final BlockLoader<String> RULES = (hi, lo) -> "text " + lo;

  /** What those get who waited. */
  UnaryOperator<String> sharing = UnaryOperator.identity();

  /** What the others get of a value that is loaded. */
  Function<LoadedEntry<String>, SharedResult<String>> landing = SharedResult::of;

  /** What is in the cache now, by the low word of the key. */
  LongFunction<@Nullable String> present = lo -> null;

  final List<String> discarded = new ArrayList<>();

  /** Run when a result is given back. */
  Runnable whenDiscarded = () -> {};

  LoadRequest<String, String> request(long lo) {
    return new LoadRequest<>(
        new Key128(1, lo),
        this,
        TYPE,
        RULES,
        new LoadRequest.Terms(TYPE, 1, new IncidentLog("a disposer threw")));
  }

  /** A waiter that joins a flight as if it were the one that it was made for. */
  ThreadWaiter<String, String> waiter() {
    return new ThreadWaiter<>(
        new InFlightLoad<>(new Key128(1, 0), new LoadTask(true, null), false), this);
  }

  /** A value that was loaded for a key. */
  LoadedEntry<String> entry(long lo, String value) {
    LoadRequest<String, String> request = request(lo);
    return request.entry(request.key(), value);
  }

  @Override
  public void requireLoadable(EntryType<?> type) {}

  @Override
  public @Nullable String lookAgain(long hi, long lo) {
    assertThat(hi).isEqualTo(1);
    return present.apply(lo);
  }

  @Override
  public String land(InFlightLoad<String> flight, LoadedEntry<String> entry) {
    flight.outcome = landing.apply(entry);
    return entry.value();
  }

  @Override
  public String uncached(LoadedEntry<String> entry) {
    return Objects.requireNonNull(entry.value());
  }

  @Override
  public String share(Key128 key, SharedResult<String> shared) {
    return sharing.apply(Objects.requireNonNull(shared.entry()).value());
  }

  @Override
  public String another(String result) {
    return result;
  }

  @Override
  public void discard(String result) {
    discarded.add(result);
    whenDiscarded.run();
  }
}
