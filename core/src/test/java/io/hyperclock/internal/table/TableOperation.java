/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static io.hyperclock.internal.table.TableFixture.CHARGE;
import static io.hyperclock.internal.table.TableFixture.HI;
import static io.hyperclock.internal.table.TableFixture.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.MetaWord;
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
record TableOperation(
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

  static final TableOperation INSERT = insert("insert", "b");
  static final TableOperation INSERT_TOO = insert("insert too", "c");
  static final TableOperation PUT = put("put", 0, "d");
  static final TableOperation PUT_ANEW = put("put anew", 1, "e");
  static final TableOperation PUT_TOO = put("put another anew", 2, "f");
  static final TableOperation REPLACE = replace("replace", 1, "g", null);
  static final TableOperation REPLACE_A = replace("replace a", 0, "h", "a");
  static final TableOperation REPLACE_A_ANEW = replace("replace a anew", 1, "i", "a");
  static final TableOperation ERASE = erase("erase", null);
  static final TableOperation ERASE_TOO = erase("erase too", null);
  static final TableOperation ERASE_A = erase("erase a", "a");
  static final TableOperation GET = read("get", tables -> String.valueOf(tables.get(KEY)));
  static final TableOperation LOOKUP = read("look up", TableOperation::lookUp);
  static final TableOperation PRESENT =
      new TableOperation(
          "present",
          tables ->
              tables
                      .newest()
                      .currentReads()
                      .read(HI, KEY, tables.hash(KEY), MetaWord.VISIBLE, false)
                  != null,
          value -> value != null,
          value -> value);
  static final TableOperation GROW = silent("grow", TableOperation::grow);
  static final TableOperation MOVE = silent("move", TableFixture::move);

  private static TableOperation insert(String name, String fresh) {
    return new TableOperation(
        name,
        tables -> tables.insert(KEY, fresh),
        value -> value == null ? 0 : EntryTable.KEPT_EXISTING,
        value -> value == null ? fresh : value);
  }

  private static TableOperation put(String name, int type, String fresh) {
    return new TableOperation(
        name,
        tables -> tables.put(type, KEY, fresh, true, null),
        value -> value == null ? 0 : EntryTable.REPLACED,
        value -> fresh);
  }

  private static boolean differs(@Nullable String expected, String value) {
    return expected != null && !expected.equals(value);
  }

  private static TableOperation replace(
      String name, int type, String fresh, @Nullable String expected) {
    return new TableOperation(
        name,
        tables -> tables.put(type, KEY, fresh, false, expected),
        value ->
            value == null
                ? EntryTable.NOT_PRESENT
                : differs(expected, value) ? EntryTable.NOT_EXPECTED : EntryTable.REPLACED,
        value -> value == null || differs(expected, value) ? value : fresh);
  }

  private static TableOperation erase(String name, @Nullable String expected) {
    return new TableOperation(
        name,
        tables -> tables.erase(KEY, expected),
        value -> value != null && !differs(expected, value),
        value -> value == null || differs(expected, value) ? value : null);
  }

  private static TableOperation read(String name, Function<TableFixture, Object> call) {
    return new TableOperation(name, call, String::valueOf, value -> value);
  }

  private static TableOperation silent(String name, Function<TableFixture, Boolean> call) {
    return new TableOperation(
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
  static Set<List<Object>> allowed(boolean isPresent, List<List<TableOperation>> threads) {
    Set<List<Object>> ends = new HashSet<>();
    follow(isPresent ? "a" : null, threads, new HashMap<>(), ends);
    return ends;
  }

  private static void follow(
      @Nullable String value,
      List<List<TableOperation>> threads,
      Map<String, Object> answers,
      Set<List<Object>> ends) {
    boolean isOver = true;
    for (int thread = 0; thread < threads.size(); thread++) {
      List<TableOperation> left = threads.get(thread);
      if (!left.isEmpty()) {
        isOver = false;
        TableOperation next = left.get(0);
        Map<String, Object> after = new HashMap<>(answers);
        after.put(next.name, next.answer.apply(value));
        List<List<TableOperation>> rest = new ArrayList<>(threads);
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
    for (TableOperation inPlace : List.of(PUT, REPLACE_A)) {
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
