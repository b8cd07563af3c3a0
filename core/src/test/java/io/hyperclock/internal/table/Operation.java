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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An operation on {@link TableFixture#KEY}.
 *
 * @param call makes it; what it answers
 * @param answer what it is to answer if the key has a value, or none
 * @param change the value that the key has after it
 */
record Operation(
    String name,
    Function<TableFixture, Object> call,
    Function<@Nullable String, Object> answer,
    UnaryOperator<@Nullable String> change) {

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

  static final Operation INSERT = insert("insert", "b");
  static final Operation INSERT_TOO = insert("insert too", "c");
  static final Operation PUT = put("put", 0, "d");
  static final Operation PUT_ANEW = put("put anew", 1, "e");
  static final Operation PUT_TOO = put("put another anew", 2, "f");
  static final Operation REPLACE = replace("replace", 1, "g", null);
  static final Operation REPLACE_A = replace("replace a", 0, "h", "a");
  static final Operation REPLACE_A_ANEW = replace("replace a anew", 1, "i", "a");
  static final Operation ERASE = erase("erase", null);
  static final Operation ERASE_TOO = erase("erase too", null);
  static final Operation ERASE_A = erase("erase a", "a");
  static final Operation GET = read("get", tables -> String.valueOf(tables.get(KEY)));
  static final Operation LOOKUP = read("look up", Operation::lookUp);
  static final Operation PRESENT =
      new Operation(
          "present",
          tables -> tables.newest().isPresent(HI, KEY, tables.hash(KEY)),
          value -> value != null,
          value -> value);
  static final Operation GROW = silent("grow", Operation::grow);
  static final Operation MOVE = silent("move", TableFixture::move);

  private static Operation insert(String name, String fresh) {
    return new Operation(
        name,
        tables -> tables.insert(KEY, fresh),
        value -> value == null ? 0 : EntryTable.KEPT_EXISTING,
        value -> value == null ? fresh : value);
  }

  private static Operation put(String name, int type, String fresh) {
    return new Operation(
        name,
        tables -> tables.put(type, KEY, fresh, true, null),
        value -> value == null ? 0 : EntryTable.REPLACED,
        value -> fresh);
  }

  private static boolean differs(@Nullable String expected, String value) {
    return expected != null && !expected.equals(value);
  }

  private static Operation replace(String name, int type, String fresh, @Nullable String expected) {
    return new Operation(
        name,
        tables -> tables.put(type, KEY, fresh, false, expected),
        value ->
            value == null
                ? EntryTable.NOT_PRESENT
                : differs(expected, value) ? EntryTable.NOT_EXPECTED : EntryTable.REPLACED,
        value -> value == null || differs(expected, value) ? value : fresh);
  }

  private static Operation erase(String name, @Nullable String expected) {
    return new Operation(
        name,
        tables -> tables.erase(KEY, expected),
        value -> value != null && !differs(expected, value),
        value -> value == null || differs(expected, value) ? value : null);
  }

  private static Operation read(String name, Function<TableFixture, Object> call) {
    return new Operation(name, call, String::valueOf, value -> value);
  }

  private static Operation silent(String name, Function<TableFixture, Boolean> call) {
    return new Operation(
        name,
        tables -> {
          call.apply(tables);
          return "";
        },
        value -> "",
        value -> value);
  }

  private static String lookUp(TableFixture tables) {
    TableFixture.Pin pin = tables.pin(KEY);
    if (pin == null) {
      return "null";
    }
    pin.release(true, false);
    return (String) pin.value();
  }

  private static boolean grow(TableFixture tables) {
    if (tables.newest().before() == null) {
      tables.grow(3);
    }
    return true;
  }

  /** Makes it, and notes its answer. */
  void run(TableFixture tables, Map<String, Object> answers) {
    answers.put(name, call.apply(tables));
  }

  /** What {@link #end} may tell where each thread makes its operations one after the other. */
  static Set<List<Object>> allowed(boolean isPresent, List<List<Operation>> threads) {
    Set<List<Object>> ends = new HashSet<>();
    follow(isPresent ? "a" : null, threads, new HashMap<>(), ends);
    return ends;
  }

  private static void follow(
      @Nullable String value,
      List<List<Operation>> threads,
      Map<String, Object> answers,
      Set<List<Object>> ends) {
    boolean isOver = true;
    for (int thread = 0; thread < threads.size(); thread++) {
      List<Operation> left = threads.get(thread);
      if (!left.isEmpty()) {
        isOver = false;
        Operation next = left.get(0);
        Map<String, Object> after = new HashMap<>(answers);
        after.put(next.name, next.answer.apply(value));
        List<List<Operation>> rest = new ArrayList<>(threads);
        rest.set(thread, left.subList(1, left.size()));
        follow(next.change.apply(value), rest, after, ends);
      }
    }
    if (isOver) {
      ends.add(List.of(answers, String.valueOf(value)));
    }
  }

  /** All that can be told of a run. */
  static List<Object> end(TableFixture tables, Map<String, Object> answers) {
    assertThat(tables.move()).isTrue();
    Object last = String.valueOf(tables.get(KEY));
    tables.isWhole();
    assertThat(tables.get(tables.doubleOf(KEY))).isEqualTo("double");
    assertThat(tables.ends.ended).doesNotHaveDuplicates();
    int inserted = Collections.frequency(tables.policy.told, "admitted");
    int exchanged = 0;
    for (Operation inPlace : List.of(PUT, REPLACE_A)) {
      exchanged += Integer.valueOf(EntryTable.REPLACED).equals(answers.get(inPlace.name)) ? 1 : 0;
    }
    int gone = (int) (inserted - tables.ledger.occupancy());
    assertThat(tables.ends.ended.size())
        .as("values that ended, of %s entries: %s", inserted, tables.ends.ended)
        .isBetween(gone - exchanged, gone);
    assertThat(tables.ledger.usage()).isEqualTo(tables.ledger.occupancy() * CHARGE);
    return List.of(answers, last);
  }

  @Override
  public String toString() {
    return name;
  }
}
