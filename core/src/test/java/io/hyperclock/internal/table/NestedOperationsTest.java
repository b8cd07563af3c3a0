/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableOperation.ERASE;
import static io.hyperclock.internal.table.TableOperation.ERASE_A;
import static io.hyperclock.internal.table.TableOperation.ERASE_TOO;
import static io.hyperclock.internal.table.TableOperation.GET;
import static io.hyperclock.internal.table.TableOperation.GROW;
import static io.hyperclock.internal.table.TableOperation.INSERT;
import static io.hyperclock.internal.table.TableOperation.INSERT_TOO;
import static io.hyperclock.internal.table.TableOperation.LOOKUP;
import static io.hyperclock.internal.table.TableOperation.MOVE;
import static io.hyperclock.internal.table.TableOperation.PRESENT;
import static io.hyperclock.internal.table.TableOperation.PUT_ANEW;
import static io.hyperclock.internal.table.TableOperation.PUT_TOO;
import static io.hyperclock.internal.table.TableOperation.REPLACE_A_ANEW;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.table.TableOperation.Layout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An operation is stopped before each of its accesses while another runs, which is stopped before
 * each of its own for a third: so the third ends what the first has begun and the second has found.
 */
@Timeout(120)
class NestedOperationsTest {
  private record Nest(TableOperation outer, TableOperation inner, List<TableOperation> innermost) {}

  private static List<Nest> nests(Layout layout) {
    List<Nest> nests = new ArrayList<>();
    for (TableOperation outer : List.of(INSERT, PUT_ANEW, ERASE)) {
      nests.add(new Nest(outer, PUT_TOO, List.of(REPLACE_A_ANEW)));
      nests.add(new Nest(outer, ERASE_TOO, List.of(ERASE_A, INSERT_TOO)));
      if (layout == Layout.MOVING) {
        nests.add(new Nest(MOVE, outer, List.of(PUT_TOO)));
      }
    }
    for (TableOperation inner : List.of(GET, LOOKUP, PRESENT)) {
      nests.add(new Nest(PUT_ANEW, inner, List.of(PUT_TOO)));
    }
    if (layout == Layout.MOVING) {
      nests.add(new Nest(PUT_ANEW, ERASE_TOO, List.of(MOVE)));
      nests.add(new Nest(ERASE, PUT_TOO, List.of(MOVE)));
    }
    if (layout == Layout.SETTLED) {
      nests.add(new Nest(PUT_ANEW, ERASE_TOO, List.of(GROW, MOVE)));
    }
    return nests;
  }

  private Set<List<Object>> allowed = Set.of();
  private boolean isInnerOver;

  /** Whether the outer operation made so many accesses. */
  private boolean runs(TableFixture tables, Nest nest, int outerAccess, int innerAccess) {
    Map<String, Object> answers = new HashMap<>();
    isInnerOver = false;
    tables.before(
        outerAccess,
        () -> {
          tables.before(
              innerAccess, () -> nest.innermost.forEach(step -> step.run(tables, answers)));
          nest.inner.run(tables, answers);
          isInnerOver = !tables.wasStopped();
        });
    nest.outer.run(tables, answers);
    if (!tables.wasStopped()) {
      return false;
    }
    if (!isInnerOver) {
      assertThat(TableOperation.end(tables, answers)).isIn(allowed);
    }
    return true;
  }

  private int run(Layout layout, boolean isPresent, Nest nest) {
    allowed =
        TableOperation.allowed(
            isPresent, List.of(List.of(nest.outer), List.of(nest.inner), nest.innermost));
    int runs = 0;
    for (int outer = 1; ; outer++) {
      for (int inner = 1; ; inner++) {
        try {
          if (!runs(layout.open(isPresent), nest, outer, inner)) {
            return runs;
          }
        } catch (Throwable e) {
          throw new AssertionError(
              nest + " stopped at " + outer + " and " + inner + ", " + isPresent, e);
        }
        runs++;
        if (isInnerOver) {
          break;
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersAreThoseOfSomeOrder(Layout layout) {
    for (boolean isPresent : new boolean[] {true, false}) {
      for (Nest nest : nests(layout)) {
        assertThat(run(layout, isPresent, nest)).as("%s", nest).isGreaterThan(10);
      }
    }
  }
}
