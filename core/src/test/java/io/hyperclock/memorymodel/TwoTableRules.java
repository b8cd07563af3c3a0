/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.CodePathRules.ACQUIRE;
import static io.hyperclock.memorymodel.CodePathRules.FULL;
import static io.hyperclock.memorymodel.CodePaths.call;
import static io.hyperclock.memorymodel.CodePaths.end;
import static io.hyperclock.memorymodel.CodePaths.field;
import static io.hyperclock.memorymodel.CodePaths.start;

import java.util.List;

/**
 * The steps of moves from one table to the next, and of reads beside them: [start], [view], [move].
 */
final class TwoTableRules {
  private TwoTableRules() {}

  static void addTo(CodePathRules rules) {
    rules.rule(
        "table.ClockTable", "leaveFor", "fence behind the next table", field("next"), end(), FULL);
    rules.rule(
        "table.OptimisticReads",
        "searchAll",
        "fence between the table before and the newest",
        call("searchOnce"),
        call("searchHere"),
        ACQUIRE);
    rules.rule(
        "table.OptimisticReads",
        "searchAll",
        "fence between the newest table and the count",
        call("searchHere"),
        call("of"),
        ACQUIRE);
    rules.rule(
        "table.OptimisticReads",
        "isShownBy",
        "fence before the second look at the table before",
        start(),
        call("shows"),
        ACQUIRE);
    rules.rule(
        "cache.ShardScan",
        "eraseBefore",
        "fence behind the table before",
        call("eraseKeys"),
        end(),
        ACQUIRE);
    rules.rule(
        "cache.ShardScan",
        "forEachOnItsWay",
        "fence behind each table",
        call("forEachPinned"),
        end(),
        ACQUIRE);
    rules.rule(
        "cache.Shard",
        "lookupBefore",
        "fence behind the table before",
        call("lookupHere"),
        end(),
        ACQUIRE);
    for (String insert : List.of("insert", "put")) {
      rules.rule(
          "table.Insertion",
          insert,
          "a look at the next table between announcing and publishing",
          call("announce", "announceAgain", "announceAgainIfInvalidated"),
          call("publish", "supersede"),
          call("isLeft"));
    }
    rules.rule(
        "table.PendingWrites",
        "completeErase",
        "a look for the newest table before each search",
        start().or(call("completeReplacement")),
        call("findAnotherOrInvalidate"),
        call("newest"));
    rules.rule(
        "table.Migration",
        "move",
        "a look between announcing and publishing",
        start().or(call("announce", "announceAgain")),
        call("publish"),
        call("isCurrent"));
    rules.rule(
        "table.Migration",
        "move",
        "forwarded before the mover lets go",
        start(),
        call("supersedeAndRelease"),
        call("forward"));
    rules.rule(
        "table.Migration",
        "move",
        "hidden before the mark is taken off",
        start(),
        call("endSuperseding"),
        call("supersedeAndRelease"));
    rules.rule(
        "table.Migration",
        "move",
        "the mark is taken off before the mover lets go",
        call("publish"),
        call("freeIfOwned"),
        call("endSuperseding"));
    rules.rule(
        "table.EntryLifecycle",
        "vacateMoved",
        "the slot that was left is empty before the pin of the other ends",
        call("requireLittle"),
        end(),
        call("finishTearDown", "setMetaRelease"));
    rules.rule(
        "table.Migration",
        "settle",
        "nothing is announced any more before the next slot",
        start(),
        end(),
        call("invalidate"));
  }
}
