/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Woven;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** [pointer] Requests are one insert's alone, whoever begins at the same time. */
@Woven("policy")
class RequestsInterleavingTest {
  private static final int PREEMPTIONS = 2;

  /** Begins requests and gives none back. */
  private static final class Inserts {
    final EvictionRequest free = new EvictionRequest(1);
    final EvictionRequests requests = new EvictionRequests(1);
    final ConcurrentLinkedQueue<EvictionRequest> begun = new ConcurrentLinkedQueue<>();

    Inserts() {
      free.end();
    }

    void begin(int times) {
      for (int i = 0; i < times; i++) {
        begun.add(requests.begin(1));
      }
    }

    void enter() {
      if (free.begin(1)) {
        begun.add(free);
      }
    }

    /** What a policy keeps with the number of a request is one insert's alone, too. */
    void check() {
      Set<Integer> numbers = new HashSet<>();
      for (EvictionRequest request : begun) {
        assertThat(request.number() == EvictionRequest.NOT_KEPT || numbers.add(request.number()))
            .as("number %s", request.number())
            .isTrue();
      }
    }
  }

  @Test
  void oneOfTwoEntersARequest() {
    new Scenario<>(
            "one request",
            Inserts::new,
            (Inserts inserts) -> assertThat(inserts.begun).hasSize(1),
            Inserts::enter,
            Inserts::enter)
        .explore(PREEMPTIONS);
  }

  @Test
  void eachThreadHasItsOwn() {
    new Scenario<Inserts>(
            "requests of threads",
            Inserts::new,
            Inserts::check,
            inserts -> inserts.begin(4),
            inserts -> inserts.begin(4))
        .explore(PREEMPTIONS);
  }
}
