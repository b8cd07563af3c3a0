/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.LeakDetection;
import io.hyperclock.ReadScope;
import io.hyperclock.internal.observe.ObserverNotifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a read scope does with the handles that loads give it. */
@Tag("scope")
final class EpochScopeTest {
  private static final BlockLoader<String> LOADER = (hi, lo) -> "loaded " + lo;

  private final ReadScopes scopes =
      new ReadScopes(new ObserverNotifier.Settings(null, LeakDetection.off(), Duration.ofDays(1)));
  private final List<String> closed = new ArrayList<>();
  private boolean standalone;
  private int lookups;

  private final ScopedReads<String> cache =
      new ScopedReads<>() {
        @Override
        public @Nullable String readInScope(long keyHi, long keyLo) {
          return keyLo == 0 ? "present" : null;
        }

        @Override
        public @Nullable String peekInScope(long keyHi, long keyLo) {
          return readInScope(keyHi, keyLo);
        }

        @Override
        public @Nullable Handle<String> lookupMissed(
            long keyHi, long keyLo, BlockLoader<? extends String> loader) {
          lookups++;
          return keyLo < 0 ? null : handle("loaded " + keyLo);
        }
      };

  @SuppressWarnings("unchecked")
  private Handle<String> handle(String value) {
    return (Handle<String>)
        Proxy.newProxyInstance(
            Handle.class.getClassLoader(),
            new Class<?>[] {Handle.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "value" -> value;
                  case "isStandalone" -> standalone;
                  case "isReleased" -> closed.contains(value);
                  case "equals" -> proxy == arguments[0];
                  case "close" -> {
                    closed.add(value);
                    yield null;
                  }
                  default -> throw new AssertionError(method);
                });
  }

  @Test
  void whatIsPresentIsNotLookedUp() {
    try (ReadScope<String> scope = EpochScope.open(scopes, cache)) {
      assertThat(scope.get(1, 0, LOADER)).isEqualTo("present");
      assertThat(scope.peek(1, 0)).isEqualTo("present");
      assertThat(scope.peek(1, 1)).isNull();
      assertThat(lookups).isZero();
      assertThat(scope.get(1, -1, LOADER)).isNull();
    }
    assertThat(closed).isEmpty();
  }

  @Test
  void aHandleOfTheTableIsClosedAtOnce() {
    try (ReadScope<String> scope = EpochScope.open(scopes, cache)) {
      assertThat(scope.get(1, 1, LOADER)).isEqualTo("loaded 1");
      assertThat(closed).containsExactly("loaded 1");
    }
    assertThat(closed).hasSize(1);
  }

  @Test
  void allStandaloneHandlesAreClosedWithTheScope() {
    standalone = true;
    ReadScope<String> scope = EpochScope.open(scopes, cache);
    for (long lo = 1; lo <= 3; lo++) {
      assertThat(scope.get(1, lo, LOADER)).isEqualTo("loaded " + lo);
    }
    assertThat(closed).isEmpty();
    scope.close();
    assertThat(closed).containsExactlyInAnyOrder("loaded 1", "loaded 2", "loaded 3");
    scope.close();
    assertThat(closed).hasSize(3);
    assertThat(scopes.stats().openScopes()).isZero();
  }

  @Test
  void messagesNameTheThreads() throws Exception {
    String opener = Thread.currentThread().getName();
    try (ReadScope<String> scope = EpochScope.open(scopes, cache)) {
      assertThat(scope).hasToString("ReadScope[opener=" + opener + "]");
      FutureTask<String> get = new FutureTask<>(() -> scope.get(1, 0));
      new Thread(get, "a stranger").start();
      assertThatThrownBy(get::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("opener=" + opener)
          .hasMessageContaining("caller=a stranger");
    }
  }
}
