/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableOperation.ERASE;
import static io.hyperclock.internal.table.TableOperation.ERASE_A;
import static io.hyperclock.internal.table.TableOperation.GET;
import static io.hyperclock.internal.table.TableOperation.GROW;
import static io.hyperclock.internal.table.TableOperation.INSERT;
import static io.hyperclock.internal.table.TableOperation.INSERT_TOO;
import static io.hyperclock.internal.table.TableOperation.LOOKUP;
import static io.hyperclock.internal.table.TableOperation.MOVE;
import static io.hyperclock.internal.table.TableOperation.PRESENT;
import static io.hyperclock.internal.table.TableOperation.PUT;
import static io.hyperclock.internal.table.TableOperation.PUT_ANEW;
import static io.hyperclock.internal.table.TableOperation.PUT_TOO;
import static io.hyperclock.internal.table.TableOperation.REPLACE;
import static io.hyperclock.internal.table.TableOperation.REPLACE_A;
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
 * An operation is stopped before each of its accesses, while others run: what all of them answer,
 * and what is found afterwards, is what some order of whole operations gives.
 */
@Timeout(120)
class StoppedOperationsTest {
  private static List<TableOperation> stopped(Layout layout) {
    List<TableOperation> steps =
        new ArrayList<>(
            List.of(
                INSERT,
                PUT,
                PUT_ANEW,
                REPLACE,
                REPLACE_A,
                REPLACE_A_ANEW,
                ERASE,
                ERASE_A,
                GET,
                PRESENT,
                LOOKUP));
    if (layout == Layout.MOVING) {
      steps.add(MOVE);
    }
    return steps;
  }

  private static List<List<TableOperation>> others(Layout layout) {
    List<List<TableOperation>> others =
        new ArrayList<>(
            List.of(
                List.of(INSERT_TOO),
                List.of(PUT),
                List.of(PUT_TOO),
                List.of(REPLACE_A_ANEW),
                List.of(ERASE),
                List.of(GET, LOOKUP, PRESENT),
                List.of(ERASE, INSERT_TOO),
                List.of(ERASE, INSERT_TOO, ERASE)));
    if (layout == Layout.SETTLED) {
      others.addAll(
          List.of(
              List.of(GROW),
              List.of(GROW, MOVE),
              List.of(GROW, MOVE, PUT_TOO),
              List.of(PUT_TOO, GROW, MOVE),
              List.of(GROW, ERASE)));
    }
    if (layout == Layout.MOVING) {
      others.addAll(List.of(List.of(MOVE), List.of(PUT_TOO, MOVE), List.of(MOVE, ERASE)));
    }
    return others;
  }

  /** Who compares values waits for the end of an exchange. */
  private static boolean waits(TableOperation stopped, List<TableOperation> others) {
    return (stopped == PUT || stopped == REPLACE_A) && others.contains(REPLACE_A_ANEW);
  }

  /** Whether the operation made so many accesses. */
  private static boolean runs(
      Layout layout,
      boolean isPresent,
      TableOperation stopped,
      List<TableOperation> others,
      int access,
      Set<List<Object>> allowed) {
    TableFixture tables = layout.open(isPresent);
    Map<String, Object> answers = new HashMap<>();
    tables.before(access, () -> others.forEach(step -> step.run(tables, answers)));
    stopped.run(tables, answers);
    if (!tables.wasStopped()) {
      return false;
    }
    assertThat(TableOperation.end(tables, answers)).isIn(allowed);
    return true;
  }

  @ParameterizedTest
  @EnumSource
  void answersAreThoseOfSomeOrder(Layout layout) {
    for (boolean isPresent : new boolean[] {true, false}) {
      for (TableOperation stopped : stopped(layout)) {
        for (List<TableOperation> others : others(layout)) {
          if (others.contains(stopped) || waits(stopped, others)) {
            continue;
          }
          Set<List<Object>> allowed =
              TableOperation.allowed(isPresent, List.of(List.of(stopped), others));
          int access = 1;
          try {
            while (runs(layout, isPresent, stopped, others, access, allowed)) {
              access++;
            }
          } catch (Throwable e) {
            throw new AssertionError(
                stopped + " stopped at " + access + " for " + others + ", " + isPresent, e);
          }
          assertThat(access).as("%s beside %s", stopped, others).isGreaterThan(2);
        }
      }
    }
  }
}
