/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockLoadException;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.Key128;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What became of a load that failed, for the thread that led it and for those who waited. */
@Tag("loading")
class LoadFailuresTest {
  private static final Key128 KEY = new Key128(3, 4);

  @AfterEach
  void noInterruptIsLeft() {
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void theLeaderGetsAnErrorAndAnUncheckedExceptionAsTheyAre() {
    Error error = new AssertionError("broken");
    assertThatThrownBy(() -> LoadFailures.forLeader(error, KEY)).isSameAs(error);
    RuntimeException unchecked = new IllegalStateException("broken");
    assertThat(LoadFailures.forLeader(unchecked, KEY)).isSameAs(unchecked);
  }

  @Test
  void aCheckedExceptionOfTheLeaderIsWrappedAndNamesTheKey() {
    IOException checked = new IOException("disk");
    assertThat(LoadFailures.forLeader(checked, KEY))
        .isInstanceOf(BlockLoadException.class)
        .hasMessage("a load must not fail: keyHi=3, keyLo=4, failure=java.io.IOException")
        .hasCause(checked);
  }

  @Test
  void theLeaderIsStillInterruptedAfterItsLoaderGaveUp() {
    InterruptedException interrupted = new InterruptedException();
    RuntimeException failure = LoadFailures.forLeader(interrupted, KEY);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure).isInstanceOf(BlockLoadException.class).hasCause(interrupted);
  }

  @Test
  void othersShareWhatTheLoaderThrew() {
    for (Throwable failure :
        new Throwable[] {
          new IOException("disk"), new AssertionError("broken"), new PinRequiredException("other")
        }) {
      SharedResult<String> shared = LoadFailures.shared(failure, true);
      assertThat(shared.isOfCache()).isFalse();
      assertThat(shared.failure()).isSameAs(failure);
    }
  }

  @Test
  void othersShareWhatTheCacheThrew() {
    CapacityExceededException failure = new CapacityExceededException("no room");
    SharedResult<String> shared = LoadFailures.shared(failure, false);
    assertThat(shared.isOfCache()).isTrue();
    assertThat(shared.failure()).isSameAs(failure);
  }

  @Test
  void whatConcernsTheLeaderAloneIsNotShared() {
    assertThat(LoadFailures.shared(new InterruptedException(), true))
        .isSameAs(SharedResult.again());
    assertThat(LoadFailures.shared(new InterruptedException(), false))
        .isSameAs(SharedResult.again());
    assertThat(LoadFailures.shared(new PinRequiredException("value"), false))
        .isSameAs(SharedResult.again());
  }

  @Test
  void aWaiterGetsWhatTheLoaderThrewAsTheCause() {
    for (Throwable failure :
        new Throwable[] {
          new CapacityExceededException("of the loader"),
          new PinRequiredException("of the loader"),
          new IllegalStateException("of the loader")
        }) {
      assertThat(LoadFailures.forWaiter(SharedResult.threw(failure, false), KEY))
          .isInstanceOf(BlockLoadException.class)
          .hasMessage(
              "a load must not fail: keyHi=3, keyLo=4, failure=" + failure.getClass().getName())
          .hasCause(failure);
    }
  }

  @Test
  void aWaiterGetsAnotherFailureOfTheCacheAsTheCause() {
    AssertionError failure = new AssertionError("broken");
    assertThat(LoadFailures.forWaiter(SharedResult.threw(failure, true), KEY))
        .isInstanceOf(BlockLoadException.class)
        .hasCause(failure);
  }

  @Test
  void aLoaderThatAsksForItsOwnKeyIsTold() {
    assertThat(LoadFailures.ownKey(KEY))
        .hasMessage("a loader must not ask for its own key: keyHi=3, keyLo=4");
  }
}
