/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loading")
class UserCodeTest {
  private static final EntryType<String> TYPE = EntryType.<String>named("text").build();

  private static boolean told(boolean answer) {
    return UserCode.onEviction(
        (hi, lo, value, type, charge, wasHit) -> {
          assertThat(UserCode.isInside()).isTrue();
          assertThat(List.of(hi, lo, value, type, charge, wasHit))
              .isEqualTo(List.of(1L, 2L, "value", TYPE, 3L, true));
          return answer;
        },
        1,
        2,
        "value",
        TYPE,
        3,
        true);
  }

  @Test
  void aListenerIsToldAndItsAnswerReturned() {
    assertThat(UserCode.isInside()).isFalse();
    assertThat(told(true)).isTrue();
    assertThat(UserCode.isInside()).isFalse();
    assertThat(told(false)).isFalse();
  }

  @Test
  void callbacksWithinCallbacksAreInside() {
    UserCode.dispose(
        (hi, lo, value) -> {
          told(true);
          assertThat(UserCode.isInside()).isTrue();
          UserCode.dispose((h, l, v) -> assertThat(UserCode.isInside()).isTrue(), 1, 2, "");
          assertThat(UserCode.isInside()).isTrue();
        },
        1,
        2,
        "value");
    assertThat(UserCode.isInside()).isFalse();
  }

  @Test
  void aThrowingDisposerIsReportedWithItsType() {
    EntryType<String> throwing =
        EntryType.<String>named("throwing")
            .disposer(
                (hi, lo, value) -> {
                  throw new IllegalStateException(hi + " " + lo + " " + value);
                })
            .build();
    List<String> reported = new ArrayList<>();
    IncidentLog failures = new IncidentLog("a disposer threw");
    failures.forwardTo((detail, e) -> reported.add(detail + ": " + e.getMessage()));
    UserCode.dispose(TYPE, 1, 2, "value", failures);
    UserCode.dispose(throwing, 1, 2, "value", failures);
    assertThat(failures.count()).isEqualTo(1);
    assertThat(reported).containsExactly("disposer of " + throwing + ": 1 2 value");
    assertThat(UserCode.isInside()).isFalse();
  }

  @Test
  void aThreadWithoutMemoryForItsOwnGetsWhatIsNotLookedAt() {
    ThreadLocal<String> none =
        ThreadLocal.withInitial(
            () -> {
              throw new OutOfMemoryError("on purpose");
            });
    assertThat(UserCode.ofThread(none, "not looked at")).isEqualTo("not looked at");
    assertThat(UserCode.ofThread(ThreadLocal.withInitial(() -> "own"), "not looked at"))
        .isEqualTo("own");
  }
}
