/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.CHARGE;
import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An operation is stopped before each of its accesses, while others run: what all of them answer,
 * and what is found afterwards, is what some order of whole operations gives.
 */
@Timeout(120)
class StoppedOperationsTest {
  /** What a table looks like at first. */
  enum Layout {
    FIXED,
    SETTLED,
    MOVING;

    TableFixture open(boolean isPresent) {
      TableFixture tables =
          new TableFixture(2, this == FIXED ? TableView.FIXED : TableView.SETTLED);
      tables.insert(tables.doubleOf(KEY), "double");
      if (isPresent) {
        tables.insert(KEY, "a");
      }
      if (this == MOVING) {
        tables.grow(3);
      }
      return tables;
    }
  }

  private record Step(String name, Function<TableFixture, Object> call) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Step INSERT = new Step("insert", tables -> tables.insert(KEY, "b"));
  private static final Step INSERT_TOO = new Step("insert too", tables -> tables.insert(KEY, "c"));
  private static final Step PUT = new Step("put", tables -> tables.put(0, KEY, "d", true, null));
  private static final Step PUT_ANEW =
      new Step("put anew", tables -> tables.put(1, KEY, "e", true, null));
  private static final Step PUT_TOO =
      new Step("put another anew", tables -> tables.put(2, KEY, "f", true, null));
  private static final Step REPLACE =
      new Step("replace", tables -> tables.put(1, KEY, "g", false, null));
  private static final Step REPLACE_A =
      new Step("replace a", tables -> tables.put(0, KEY, "h", false, "a"));
  private static final Step REPLACE_A_ANEW =
      new Step("replace a anew", tables -> tables.put(1, KEY, "i", false, "a"));
  private static final Step ERASE = new Step("erase", tables -> tables.erase(KEY, null));
  private static final Step ERASE_A = new Step("erase a", tables -> tables.erase(KEY, "a"));
  private static final Step GET = new Step("get", tables -> String.valueOf(tables.get(KEY)));
  private static final Step PRESENT =
      new Step("present", tables -> tables.newest().isPresent(HI, KEY, tables.hash(KEY)));
  private static final Step LOOKUP =
      new Step(
          "look up",
          tables -> {
            TableFixture.Pin pin = tables.pin(KEY);
            if (pin == null) {
              return "null";
            }
            pin.release(true, false);
            return pin.value();
          });
  private static final Step GROW =
      new Step(
          "grow",
          tables -> {
            if (tables.newest().before() == null) {
              tables.grow(3);
            }
            return "";
          });
  private static final Step MOVE =
      new Step(
          "move",
          tables -> {
            tables.move();
            return "";
          });

  private static List<Step> stopped(Layout layout) {
    List<Step> steps =
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

  private static List<List<Step>> others(Layout layout) {
    List<List<Step>> others =
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
  private static boolean waits(Step stopped, List<Step> others) {
    return (stopped == PUT || stopped == REPLACE_A) && others.contains(REPLACE_A_ANEW);
  }

  /** All that can be told of a run. */
  private static List<Object> end(TableFixture tables, Map<String, Object> answers) {
    assertThat(tables.move()).isTrue();
    Object last = String.valueOf(tables.get(KEY));
    tables.isWhole();
    assertThat(tables.get(tables.doubleOf(KEY))).isEqualTo("double");
    assertThat(tables.ends.ended).doesNotHaveDuplicates();
    long inserted = tables.policy.told.stream().filter("admitted"::equals).count();
    long exchanged =
        answers.entrySet().stream()
            .filter(
                answer ->
                    Set.of("put", "replace a").contains(answer.getKey())
                        && answer.getValue().equals(EntryTable.REPLACED))
            .count();
    assertThat(tables.ends.ended.size())
        .as("values that ended, of %s entries: %s", inserted, tables.ends.ended)
        .isBetween(
            (int) (inserted - tables.ledger.occupancy() - exchanged),
            (int) (inserted - tables.ledger.occupancy()));
    assertThat(tables.ledger.usage()).isEqualTo(tables.ledger.occupancy() * CHARGE);
    return List.of(answers, last);
  }

  private static List<Object> inOrder(Layout layout, boolean isPresent, List<Step> steps) {
    TableFixture tables = layout.open(isPresent);
    Map<String, Object> answers = new HashMap<>();
    steps.forEach(step -> answers.put(step.name, step.call.apply(tables)));
    return end(tables, answers);
  }

  private static Set<List<Object>> allowed(
      Layout layout, boolean isPresent, Step stopped, List<Step> others) {
    Set<List<Object>> allowed = new HashSet<>();
    for (int place = 0; place <= others.size(); place++) {
      List<Step> order = new ArrayList<>(others);
      order.add(place, stopped);
      allowed.add(inOrder(layout, isPresent, order));
    }
    return allowed;
  }

  /** Whether the operation made so many accesses. */
  private static boolean runs(
      Layout layout,
      boolean isPresent,
      Step stopped,
      List<Step> others,
      int access,
      Set<List<Object>> allowed) {
    TableFixture tables = layout.open(isPresent);
    Map<String, Object> answers = new HashMap<>();
    tables.before(
        access, () -> others.forEach(step -> answers.put(step.name, step.call.apply(tables))));
    answers.put(stopped.name, stopped.call.apply(tables));
    if (!tables.wasStopped()) {
      return false;
    }
    assertThat(end(tables, answers)).isIn(allowed);
    return true;
  }

  @ParameterizedTest
  @EnumSource
  void answersAreThoseOfSomeOrder(Layout layout) {
    for (boolean isPresent : new boolean[] {true, false}) {
      for (Step stopped : stopped(layout)) {
        for (List<Step> others : others(layout)) {
          if (others.contains(stopped) || waits(stopped, others)) {
            continue;
          }
          Set<List<Object>> allowed = allowed(layout, isPresent, stopped, others);
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
