/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierState;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.net.ConnectException;
import java.net.IDN;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in one word why there is no connection. */
final class ConnectFailures {
  /** Longer chains of causes are circles. */
  private static final int MAX_CAUSES = 16;

  private ConnectFailures() {}

  /** The innermost failure that has a name of its own, else the innermost of all. */
  static TierState.Cause of(Throwable failure) {
    TierState.Cause known = null;
    Throwable next = failure;
    Throwable last = failure;
    for (int i = 0; i < MAX_CAUSES && next != null; i++) {
      TierState.Cause one = known(next);
      // Of two that mean the same the outer one says more, such as the address.
      known = one == null || known != null && known.type().equals(one.type()) ? known : one;
      last = next;
      next = next.getCause();
    }
    return known == null ? cause("FAILED", last) : known;
  }

  private static TierState.@Nullable Cause known(Throwable failure) {
    if (failure instanceof ReplyGuard.Violation e) {
      return e.why();
    }
    if (failure instanceof RedisCommandExecutionException) {
      return cause(refusal(String.valueOf(failure.getMessage())), failure);
    }
    if (failure instanceof UnknownHostException || isIllegalName(failure)) {
      return cause("UNKNOWN_HOST", failure);
    }
    if (failure instanceof SSLException) {
      return cause("TLS_FAILED", failure);
    }
    if (failure instanceof SocketTimeoutException
        || failure instanceof TimeoutException
        || failure instanceof RedisCommandTimeoutException
        || failure instanceof io.netty.channel.ConnectTimeoutException) {
      return cause("CONNECT_TIMED_OUT", failure);
    }
    if (failure instanceof ConnectException) {
      return cause("CONNECTION_REFUSED", failure);
    }
    String message = failure.getMessage();
    return message != null && message.contains("closed prematurely")
        ? cause("CONNECTION_LOST", failure)
        : null;
  }

  /** A name that no host can have is refused before a name server is asked. */
  private static boolean isIllegalName(Throwable failure) {
    return failure instanceof IllegalArgumentException
        && Arrays.stream(failure.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(IDN.class.getName()));
  }

  /** What an error of the server means while a connection is made. */
  private static String refusal(String error) {
    if (error.startsWith("NOAUTH")) {
      return "NO_PASSWORD";
    }
    boolean wrong =
        error.startsWith("WRONGPASS")
            || error.contains("invalid password")
            || error.contains("without any password");
    return wrong ? "WRONG_PASSWORD" : "REFUSED";
  }

  private static TierState.Cause cause(String type, Throwable failure) {
    return Causes.of(type, failure.getClass().getSimpleName() + ": " + failure.getMessage());
  }
}
