/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hyperclock.secondary.TierState;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.IDN;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** The words that the documentation has for failures, and what is shown with them. */
class ConnectFailuresTest {
  /** The cause of a failure that was wrapped twice on its way. */
  private static TierState.Cause causeOf(Throwable innermost) {
    return ConnectFailures.of(
        new CompletionException(new RedisConnectionException("no", innermost)));
  }

  private static void assertNamed(String type, Throwable... failures) {
    for (Throwable failure : failures) {
      assertThat(causeOf(failure))
          .isEqualTo(
              new TierState.Cause(
                  type, failure.getClass().getSimpleName() + ": " + failure.getMessage()));
    }
  }

  @Test
  void failuresAreNamedByWhatLedToThem() {
    assertNamed("UNKNOWN_HOST", new UnknownHostException("no such"));
    assertNamed("TLS_FAILED", new SSLException("no"), new SSLHandshakeException(null));
    assertNamed("CONNECTION_REFUSED", new ConnectException("refused"));
    assertNamed(
        "CONNECT_TIMED_OUT",
        new ConnectTimeoutException("late"),
        new RedisCommandTimeoutException("late"),
        new SocketTimeoutException("late"),
        new TimeoutException());
    assertNamed("CONNECTION_LOST", new IOException("connection closed prematurely"));
    assertNamed(
        "FAILED",
        new IllegalStateException("what"),
        new IllegalArgumentException("what"),
        new IOException());
  }

  @Test
  void refusalsOfTheServerAreNamedByItsWords() {
    assertNamed("NO_PASSWORD", error("NOAUTH Authentication required."));
    assertNamed(
        "WRONG_PASSWORD",
        error("WRONGPASS invalid username-password pair or user is disabled."),
        error("ERR invalid password"),
        error("ERR AUTH <password> called without any password configured"));
    assertNamed("REFUSED", error("LOADING Redis is loading the dataset in memory"), error(null));
  }

  private static RedisCommandExecutionException error(String words) {
    return new RedisCommandExecutionException(words);
  }

  /** No name server is asked then. */
  @Test
  void aNameThatNoHostCanHaveIsAnUnknownHost() {
    assertNamed("UNKNOWN_HOST", catchThrowable(() -> IDN.toASCII("no..such")));
  }

  @Test
  void aPeerThatIsNoServerIsNamedByWhatItSaid() {
    assertThat(causeOf(new ReplyGuard.Violation("NOT_REDIS", "byte=72")))
        .isEqualTo(new TierState.Cause("NOT_REDIS", "byte=72"));
  }

  @Test
  void theInnermostFailureWithANameOfItsOwnCounts() {
    Throwable handshake = new SSLException("handshake", new ConnectException("refused"));
    assertThat(causeOf(handshake).type()).isEqualTo("CONNECTION_REFUSED");
    Throwable unknown = new SSLException("handshake", new IllegalStateException("what"));
    assertThat(causeOf(unknown).type()).isEqualTo("TLS_FAILED");
  }

  @Test
  void ofTwoThatMeanTheSameTheOuterOneIsShown() {
    Throwable refused = new ConnectException("connection refused: server/127.0.0.1:6379");
    refused.initCause(new ConnectException("refused"));
    assertThat(causeOf(refused).message()).contains("127.0.0.1:6379");
  }

  @Test
  void causesMayGoInACircle() {
    Exception first = new IllegalStateException("first");
    first.initCause(new IllegalStateException("second", first));
    assertThat(causeOf(first).type()).isEqualTo("FAILED");
  }
}
