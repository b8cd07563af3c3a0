/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever is thrown, all that was left to a thread is done. */
class HelpSessionTest {
  private final List<String> done = new ArrayList<>();
  private final HelpSession session = new HelpSession();

  private Runnable failing(String name) {
    return () -> {
      done.add(name);
      throw new InternalError(name + ", on purpose");
    };
  }

  @Test
  void endsAllThatWasLeftToIt() {
    session.marked(() -> done.add("unmark"), failing("rest 1"));
    session.marked(() -> done.add("unmark"), failing("rest 2"));
    session.add(failing("answered 1"));
    session.add(failing("answered 2"));
    assertThatThrownBy(session::close)
        .isInstanceOf(InternalError.class)
        .hasMessageContaining("answered 1");
    assertThat(done)
        .containsExactly("unmark", "unmark", "answered 1", "answered 2", "rest 1", "rest 2");
  }
}
