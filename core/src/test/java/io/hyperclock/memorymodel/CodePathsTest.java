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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.internal.table.ClockTable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * What the compiled code does not leave out on any way from one access to another: fences above
 * all, which no run shows. {@link OrderOfAccessesTest} holds the sources to the order as it is
 * written; this one also sees a step that has moved into a branch or out of a loop.
 */
class CodePathsTest {
  private static final String INTERNAL = "io.hyperclock.internal.";

  /** From one point to another no way leads past a third. */
  private record Rule(
      String owner,
      String method,
      Predicate<AbstractInsnNode> from,
      Predicate<AbstractInsnNode> to,
      Predicate<AbstractInsnNode> between,
      String text) {
    void check() throws IOException {
      CodePaths.of(owner.startsWith("io.") ? owner : INTERNAL + owner, method)
          .requireBetween(from, to, between);
    }
  }

  private static final Predicate<AbstractInsnNode> ACQUIRE = call("acquireFence", "fullFence");
  private static final Predicate<AbstractInsnNode> RELEASE = call("releaseFence", "fullFence");
  private static final Predicate<AbstractInsnNode> FULL = call("fullFence");

  private final List<Rule> rules = new ArrayList<>();

  CodePathsTest() {
    fencesOfSlots();
    fencesBeforeTheCount();
    fencesOfScopes();
    stepsOfWriters();
    stepsBetweenTables();
    fencesOfStamps();
  }

  private void rule(
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
        "table.PendingWrites",
        "isPresent",
        "fence between slots and count",
        call("shows"),
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
    rule(
        "table.PendingWrites",
        "isPresent",
        "count before slots",
        start(),
        call("shows"),
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
  }

  /** [start], [view], [move] */
  private void stepsBetweenTables() {
    rule("table.ClockTable", "leaveFor", "fence behind the next table", field("next"), end(), FULL);
    rule(
        "table.OptimisticReads",
        "searchAll",
        "fence between the table before and the newest",
        call("searchOnce"),
        call("searchHere"),
        ACQUIRE);
    rule(
        "cache.Shard",
        "lookupBefore",
        "fence behind the table before",
        call("lookupHere"),
        end(),
        ACQUIRE);
    for (String insert : List.of("insert", "put")) {
      rule(
          "table.Insertion",
          insert,
          "a look at the next table between announcing and publishing",
          call("announce", "announceAgain", "announceAgainIfInvalidated"),
          call("publish", "supersede"),
          call("isLeft"));
    }
    rule(
        "table.PendingWrites",
        "completeErase",
        "a look for the newest table before each search",
        start().or(call("completeReplacement")),
        call("findAnotherOrInvalidate"),
        call("newest"));
    rule(
        "table.Migration",
        "move",
        "a look between announcing and publishing",
        start().or(call("announce", "announceAgain")),
        call("publish"),
        call("isCurrent"));
    rule(
        "table.Migration",
        "move",
        "forwarded before the mover lets go",
        start(),
        call("supersedeAndRelease"),
        call("forward"));
    rule(
        "table.Migration",
        "move",
        "hidden before the mark is taken off",
        start(),
        call("endSuperseding"),
        call("supersedeAndRelease"));
    rule(
        "table.Migration",
        "move",
        "the mark is taken off before the mover lets go",
        call("publish"),
        call("freeIfOwned"),
        call("endSuperseding"));
    rule(
        "table.EntryLifecycle",
        "vacateMoved",
        "the slot that was left is empty before the pin of the other ends",
        call("requireLittle"),
        end(),
        call("finishTearDown", "setMetaRelease"));
    rule(
        "table.Migration",
        "settle",
        "nothing is announced any more before the next slot",
        start(),
        end(),
        call("invalidate"));
  }

  /** [scope], and closing among inserts. */
  private void fencesOfScopes() {
    String epochs = "scope.ReadEpochs";
    rule(epochs, "tryEnter", "fence behind counting", call("getAndAdd"), call("get"), FULL);
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
        "table.Insertion",
        "put",
        "a look at the mark before superseding",
        call("pin"),
        call("supersede"),
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
        call("stepIfAny"));
    rule(
        "table.PendingWrites",
        "hideOlder",
        "a look at the newer one between pin and hiding",
        call("pin"),
        call("supersedeAndRelease"),
        call("isSuperseding"));
    rule(
        "table.PendingWrites",
        "completeEraseOfOther",
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

  @TestFactory
  Stream<DynamicTest> noWayLeadsPast() {
    return rules.stream()
        .map(
            rule ->
                DynamicTest.dynamicTest(
                    rule.owner + "." + rule.method + ": " + rule.text, rule::check));
  }

  /** Whoever needs another fence says here what for. */
  @Test
  void eachFenceHasARule() throws IOException, URISyntaxException {
    Set<String> ruled =
        rules.stream()
            .filter(rule -> Set.of(ACQUIRE, RELEASE, FULL).contains(rule.between))
            .map(rule -> rule.owner + "." + rule.method)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(methodsWithFences()).isEqualTo(ruled);
  }

  private static Set<String> methodsWithFences() throws IOException, URISyntaxException {
    Set<String> found = new TreeSet<>();
    Path classes =
        Path.of(ClockTable.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path file : files) {
      ClassNode node = new ClassNode();
      try (InputStream in = Files.newInputStream(file)) {
        new ClassReader(in).accept(node, ClassReader.SKIP_DEBUG);
      }
      for (MethodNode method : node.methods) {
        if (Stream.of(method.instructions.toArray()).anyMatch(CodePathsTest::isFence)) {
          found.add(node.name.replace('/', '.').replace(INTERNAL, "") + "." + method.name);
        }
      }
    }
    return found;
  }

  private static boolean isFence(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        && call.owner.equals("java/lang/invoke/VarHandle")
        && call.name.endsWith("Fence");
  }

  /** What the rules are checked with, on ways that are known. */
  static final class Ways {
    private Ways() {}

    static void first() {}

    static void fence() {}

    static void last() {}

    static void always(int times) {
      for (int i = 0; i < times; i++) {
        first();
      }
      fence();
      last();
    }

    static void inABranch(int times) {
      first();
      if (times > 0) {
        fence();
      }
      last();
    }

    static void onceRound(int times) {
      for (int i = 0; i < times; i++) {
        last();
        first();
      }
      fence();
    }

    static void byChoice(int times) {
      first();
      switch (times) {
        case 0 -> fence();
        case 1 -> first();
        case 1_000 -> fence();
        default -> throw new IllegalArgumentException();
      }
      last();
    }
  }

  private static void check(String method, String from, String between, String to)
      throws IOException {
    CodePaths.of(Ways.class.getName(), method).requireBetween(call(from), call(to), call(between));
  }

  @Test
  void waysAreSeen() throws IOException {
    check("always", "first", "fence", "last");
    for (String method : List.of("inABranch", "onceRound", "byChoice")) {
      assertThatThrownBy(() -> check(method, "first", "fence", "last"))
          .as(method)
          .hasMessageContaining("reached without it");
    }
    assertThatThrownBy(() -> check("always", "last", "fence", "first"))
        .hasMessageContaining("a way from the first to the last");
    assertThatThrownBy(() -> check("always", "never", "fence", "last"))
        .hasMessageContaining("places to start from");
  }
}
