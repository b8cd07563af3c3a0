/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.CodePaths.call;
import static io.hyperclock.memorymodel.CodePaths.callOf;
import static io.hyperclock.memorymodel.CodePaths.end;
import static io.hyperclock.memorymodel.CodePaths.endWith;
import static io.hyperclock.memorymodel.CodePaths.field;
import static io.hyperclock.memorymodel.CodePaths.start;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.objectweb.asm.tree.AbstractInsnNode;

/** The steps of reads, writers and moves that no way through the compiled code may skip. */
final class CodePathRules {
  static final String INTERNAL = "io.hyperclock.internal.";

  /** From one point to another no way leads past a third. */
  record Rule(
      String owner,
      String method,
      Predicate<AbstractInsnNode> from,
      Predicate<AbstractInsnNode> to,
      Predicate<AbstractInsnNode> between,
      String text) {
    String name() {
      return owner + "." + method + ": " + text;
    }

    void check() throws IOException {
      CodePaths.of(owner.startsWith("io.") ? owner : INTERNAL + owner, method)
          .requireBetween(from, to, between);
    }
  }

  static final Predicate<AbstractInsnNode> ACQUIRE = call("acquireFence", "fullFence");
  private static final Predicate<AbstractInsnNode> RELEASE = call("releaseFence", "fullFence");
  static final Predicate<AbstractInsnNode> FULL = call("fullFence");

  private final List<Rule> rules = new ArrayList<>();

  CodePathRules() {
    fencesOfSlots();
    fencesBeforeTheCount();
    fencesOfScopes();
    stepsOfWriters();
    TwoTableRules.addTo(this);
    fencesOfStamps();
  }

  void rule(
      String owner,
      String method,
      String text,
      Predicate<AbstractInsnNode> from,
      Predicate<AbstractInsnNode> to,
      Predicate<AbstractInsnNode> between) {
    rules.add(new Rule(owner, method, from, to, between, text));
  }

  /** [validate], [one-entry] */
  private void fencesOfSlots() {
    Predicate<AbstractInsnNode> data = call("setValueOpaque", "setKeyOpaque", "setColdOpaque");
    rule("slot.SlotSteps", "fill", "fence before the data", start(), data, RELEASE);
    rule(
        "slot.SlotSteps",
        "beginTearDown",
        "fence behind the generation",
        call("setTailRelease"),
        end(),
        RELEASE);
    rule(
        "slot.SlotSteps",
        "stillTenant",
        "fence before the second look",
        start(),
        call("tailOpaque"),
        ACQUIRE);
    rule(
        "slot.SlotProtocol",
        "markErasing",
        "fence behind the mark",
        call("compareAndSetTail", "tailAcquire"),
        end(),
        FULL);
    rule(
        "slot.TentativeInserts",
        "isInvalidated",
        "fence before the look at the announcement",
        start(),
        call("metaAcquire"),
        ACQUIRE);
    for (String store : List.of("HeapSlotStore", "OffHeapSlotStore", "AddressSlotStore")) {
      rule(
          "slot." + store,
          "validated",
          "fence between the value and the second look at the generation",
          call("valueOpaque"),
          call("getOpaque"),
          ACQUIRE);
    }
  }

  /**
   * [one-entry] A search that has found nothing looks at the count behind what it has looked at.
   */
  private void fencesBeforeTheCount() {
    for (String store : List.of("HeapSlotStore", "OffHeapSlotStore")) {
      rule(
          "slot." + store,
          "find",
          "fence behind slots that matched in vain",
          call("validated"),
          endWith("NOT_FOUND"),
          ACQUIRE);
    }
    rule(
        "slot.AddressSlotStore",
        "find",
        "fence behind slots that matched",
        call("validated"),
        end(),
        ACQUIRE);
    rule(
        "table.FastReads",
        "read",
        "slots, then whether anything was overwritten",
        start(),
        call("mayHaveMissed"),
        call("find"));
    rule(
        "table.OptimisticReads",
        "searchHere",
        "fence between slots and count",
        call("searchOnce"),
        call("of"),
        ACQUIRE);
    rule(
        "table.PinnedReads",
        "search",
        "fence between slots and count",
        callOf("SlotStore").or(callOf("SlotProtocol")).or(callOf("SlotSteps")),
        call("of"),
        ACQUIRE);
    rule(
        "table.OptimisticReads",
        "searchHere",
        "count before slots",
        start(),
        call("searchOnce"),
        call("of"));
    rule(
        "table.PinnedReads",
        "search",
        "count before slots",
        start(),
        call("candidates"),
        call("of"));
  }

  /** [stamp] */
  private void fencesOfStamps() {
    rule(
        "io.hyperclock.memory.BufferPool",
        "take",
        "fence behind the end of the last loan",
        call("lend"),
        end(),
        RELEASE);
    rule(
        "io.hyperclock.memory.PooledBuffer",
        "isValid",
        "fence before the stamp",
        start(),
        call("getOpaque"),
        ACQUIRE);
    String beside = "io.hyperclock.files.BlockTable";
    rule(beside, "put", "fence behind the place", call("setRelease"), call("isValid"), FULL);
    rule(beside, "forget", "fence before the place", start(), call("getAcquire"), FULL);
  }

  /** [scope], and closing among inserts. */
  private void fencesOfScopes() {
    String epochs = "scope.ReadEpochs";
    rule(epochs, "tryEnter", "fence behind counting", call("getAndAdd"), call("get"), FULL);
    rule(epochs, "tryEnter", "flag before the fence", start(), FULL, field("used"));
    rule(epochs, "isAnyOpen", "fence before the flag", start(), field("used"), FULL);
    rule(epochs, "isAnyOpen", "fence before the scan", start(), call("isCounted"), FULL);
    rule(epochs, "epochOfRetirement", "fence before the look", start(), call("get"), FULL);
    rule(epochs, "tryAdvance", "fence before the scan", call("get"), call("isCounted"), FULL);
    String cache = "cache.HyperClockCache";
    rule(cache, "eraseIfClosed", "fence before the flag", start(), field("closed"), FULL);
    rule(cache, "close", "fence behind the flag", field("closed"), call("forEachScan"), FULL);
  }

  /** [tag], [one-entry] */
  private void stepsOfWriters() {
    rule(
        "slot.TentativeInserts",
        "announce",
        "announced before the tag",
        start(),
        call("setTag"),
        call("setMetaRelease"));
    rule("slot.TentativeInserts", "announce", "the tag", start(), end(), call("setTag"));
    for (String insert : List.of("insert", "put")) {
      rule(
          "table.Insertion",
          insert,
          "a look between announcing and publishing",
          start().or(call("announce", "announceAgain")),
          call("publish", "supersede"),
          call("visible"));
      rule(
          "table.Insertion",
          insert,
          "announced before the look",
          start(),
          call("visible"),
          call("announce"));
    }
    rule(
        "table.PendingWrites",
        "findCurrentIn",
        "a look at the mark of what is found",
        call("findOrInvalidate"),
        call("isSuperseding"),
        call("isErasing"));
    rule(
        "table.Insertion",
        "supersede",
        "the count before hiding",
        call("publish"),
        call("supersedeAndRelease"),
        call("step"));
    rule(
        "table.Insertion",
        "supersede",
        "hiding before the mark is taken off",
        start(),
        call("endSuperseding"),
        call("supersedeAndRelease"));
    rule(
        "table.PendingWrites",
        "completeReplacement",
        "the count before hiding",
        start(),
        call("hideOlder"),
        call("step"));
    rule(
        "table.PendingWrites",
        "hideOlder",
        "a look at the newer one between pin and hiding",
        call("pin"),
        call("supersedeAndRelease"),
        call("isSuperseding"));
    rule(
        "table.PendingWrites",
        "findCurrentIn",
        "a mark before the search",
        start(),
        call("completeErase"),
        call("markErasing"));
    rule(
        "table.PendingWrites",
        "erase",
        "a mark",
        start(),
        call("completeErase"),
        call("markErasing"));
    rule(
        "versioned.VersionedTable",
        "insert",
        "a look between announcing and publishing",
        start().or(call("announce", "announceAgain")),
        call("publish"),
        call("isPresentBeside"));
    String entries = "table.EntryTable";
    rule(entries, "vacate", "no tag", start(), call("beginTearDown"), call("clearTag"));
    rule(entries, "withdraw", "no tag", start(), call("abandon"), call("clearTag"));
    for (String table : List.of("table.EntryLifecycle", "versioned.VersionedTable")) {
      rule(table, "tearDown", "vacated", start(), call("finishTearDown"), call("vacate"));
    }
  }

  List<Rule> all() {
    return rules;
  }

  /** Names of the methods whose rules are that a fence lies between. */
  Set<String> methodsWithFences() {
    return rules.stream()
        .filter(rule -> Set.of(ACQUIRE, RELEASE, FULL).contains(rule.between))
        .map(rule -> rule.owner + "." + rule.method)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
