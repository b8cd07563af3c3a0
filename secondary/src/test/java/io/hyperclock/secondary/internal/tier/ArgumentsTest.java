/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.hyperclock.secondary.RecordKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is allowed is given back, what is not is named with the rule. */
class ArgumentsTest {
  private static final RecordKey KEY = RecordKey.hmacSha256(new byte[RecordKey.MIN_SECRET_BYTES]);

  @Test
  void numbersBeginWhereTheRuleSays() {
    assertThat(Arguments.positive("bytes", 1)).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.positive("bytes", 0))
        .withMessage("bytes must be > 0: bytes=0");
    assertThat(Arguments.notNegative("bytes", 0)).isZero();
    assertThat(Arguments.notNegative("bytes", 5)).isEqualTo(5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.notNegative("bytes", -1))
        .withMessage("bytes must be >= 0: bytes=-1");
  }

  @Test
  void durationsMayBeTheShortestAndTheLongest() {
    Duration least = Duration.ofMillis(1);
    Duration most = Duration.ofDays(2);
    assertThat(Arguments.upToDays("ttl", least, 2)).isEqualTo(least);
    assertThat(Arguments.upToDays("ttl", most, 2)).isEqualTo(most);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.upToDays("ttl", least.minusNanos(1), 2))
        .withMessage("ttl must be in [1 ms, 2 days]: ttl=PT0.000999999S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.upToDays("ttl", most.plusNanos(1), 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.upToDays("ttl", most, 1))
        .withMessage("ttl must be in [1 ms, 1 day]: ttl=PT48H");
    assertThatNullPointerException()
        .isThrownBy(() -> Arguments.upToDays("ttl", null, 1))
        .withMessage("ttl must not be null");
  }

  @Test
  void textsAreNotBlank() {
    assertThat(Arguments.notBlank("name", "a tier")).isEqualTo("a tier");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arguments.notBlank("name", " "))
        .withMessage("name must not be blank: name=\" \"");
    assertThatNullPointerException()
        .isThrownBy(() -> Arguments.notBlank("name", null))
        .withMessage("name must not be null");
  }

  @Test
  void formerKeysAreCopiedAndNoneIsNull() {
    RecordKey[] former = {KEY};
    var copy = Arguments.former(KEY, former);
    former[0] = null;
    assertThat(copy).containsExactly(KEY);
    assertThatNullPointerException()
        .isThrownBy(() -> Arguments.former(KEY, former))
        .withMessage("former must not be null");
    assertThatNullPointerException()
        .isThrownBy(() -> Arguments.former(KEY, (RecordKey[]) null))
        .withMessage("former must not be null");
    assertThatNullPointerException()
        .isThrownBy(() -> Arguments.former(null))
        .withMessage("current must not be null");
  }
}
