/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * That the code makes its accesses in the order, and in the modes, in which the other tests of this
 * package explored them. No run on x86 would notice a fence that is gone or a release that has
 * become opaque, so the sources are read. Who changes an order here changes the models first.
 */
class OrderOfAccessesTest {
  private static final Path INTERNAL = Path.of("src/main/java/io/hyperclock/internal");

  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

  private static final Pattern ACCESS =
      Pattern.compile(
          "\\b(?:store|words|VarHandle|slots|tentativeInserts|counters|valueRelease)\\s*\\.\\s*(\\w+)\\s*\\(");

  /** A read of a word or a value, or a fence, in a store. */
  private static final Pattern WORD_ACCESS =
      Pattern.compile(
          "(?:get\\w+|compareAndSet)\\(\\s*block(?:,| \\+) index\\(\\w+,"
              + " \\w+|valueOpaque\\(\\w+|\\w+Fence\\(");

  private static final Pattern CALL = Pattern.compile("\\b(\\w+)\\s*\\(");

  /** A method of a store with the mode in its name, and the access it makes. */
  private static final Pattern STORE_METHOD =
      Pattern.compile(
          "\\b(\\w+)\\([^()]*\\)\\s*\\{[^{}]*?\\b((?:get|set|compareAndSet)\\w*)\\s*\\(");

  @ParameterizedTest
  @CsvSource({
    "slot/SlotSteps, fill, releaseFence setValueOpaque setKeyOpaque setColdOpaque",
    "slot/TentativeInserts, announce, setMetaRelease setTag",
    "slot/TentativeInserts, announceAgain, getAndAddMeta",
    "slot/TentativeInserts, candidates, candidatesVolatile",
    "slot/TentativeInserts, isErasing, tailVolatile",
    "slot/TentativeInserts, publish, metaAcquire compareAndSetMeta",
    "slot/TentativeInserts, findOrInvalidate, "
        + "tailAcquire metaVolatile keyLoOpaque keyHiOpaque stillTenant compareAndSetMeta",
    "slot/SlotSteps, beginTearDown, setTailRelease tailOpaque releaseFence",
    "slot/SlotSteps, finishTearDown, setValueOpaque setMetaRelease",
    "slot/SlotProtocol, markErasing, tailAcquire fullFence compareAndSetTail fullFence",
    "slot/SlotSteps, stillTenant, acquireFence tailOpaque",
    "slot/SlotSteps, claim, metaAcquire compareAndSetMeta",
    "slot/SlotSteps, take, compareAndSetMeta",
    "scope/ReadEpochs, tryEnter, get getAndAdd fullFence get getAndAdd",
    "scope/ReadEpochs, exit, getAndAdd",
    "scope/ReadEpochs, isAnyOpen, fullFence",
    "scope/ReadEpochs, epochOfRetirement, fullFence get",
    "scope/ReadEpochs, tryAdvance, get fullFence compareAndSet",
    "slot/ValueSwap, enter, metaAcquire compareAndSetMeta",
    "slot/ValueSwap, setValue, setValueRelease",
    "slot/ValueSwap, leave, getAndAddMeta takeAbandoned",
    "slot/ValueSwap, isUnderWay, metaAcquire",
    "slot/SlotSteps, matches, tailAcquire metaAcquire keyLoOpaque keyHiOpaque",
    "../memory/PooledBuffer, isValid, acquireFence",
    "../memory/BufferPool, take, releaseFence",
    "table/EntryTable, vacate, clearTag beginTearDown getAndSetCold",
    "table/EntryTable, withdraw, getAndSetCold clearTag abandon",
  })
  void ofSlots(String file, String method, String accesses) throws IOException {
    assertThat(accesses(body(source(file), method))).containsExactly(accesses.split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"slot/HeapSlotStore", "slot/OffHeapSlotStore", "slot/AddressSlotStore"})
  void ofReadWithoutAPin(String file) throws IOException {
    assertThat(wordAccesses(body(source(file), "validated")))
        .containsExactly(
            "getAcquire(block,index(slot,TAIL",
            "getAcquire(block,index(slot,META",
            "getOpaque(block,index(slot,KEY_LO",
            "getOpaque(block,index(slot,KEY_HI",
            "valueOpaque(slot",
            "acquireFence(",
            "getOpaque(block,index(slot,TAIL",
            "compareAndSet(block,index(slot,META");
    assertThat(calls(body(source(file), "find")))
        .containsSubsequence("getAcquire", "getAcquire", "validated");
    assertThat(accesses(body(source("table/OptimisticReads"), "searchOnce")))
        .containsExactly("candidates", "read", "metaAcquire", "another", "candidates");
    assertThat(calls(body(source("table/OptimisticReads"), "searchAll")))
        .containsSubsequence(
            "before", "of", "searchOnce", "acquireFence", "searchHere", "acquireFence", "of");
    assertThat(calls(body(source("table/OptimisticReads"), "searchOnce")))
        .containsSubsequence("read", "another", "isShownBy", "used");
    assertThat(calls(body(source("table/OptimisticReads"), "isShownBy")))
        .containsExactly("acquireFence", "shows");
  }

  @Test
  void ofBlocksBesideTheCache() throws IOException {
    assertThat(calls(body(source("../files/BlockTable"), "find"))).containsOnlyOnce("getAcquire");
    assertThat(calls(body(source("../files/BlockTable"), "put")))
        .containsSubsequence("setRelease", "fullFence", "isValid", "forget");
    assertThat(calls(body(source("../files/BlockTable"), "forget")))
        .containsSubsequence("fullFence", "getAcquire", "compareAndSet");
    assertThat(calls(body(source("../files/BlockTable"), "type")))
        .containsSubsequence("give", "forget");
    for (String type : List.of("Byte", "Short", "Int", "Long")) {
      assertThat(calls(body(source("../files/Cursor"), "read" + type)))
          .containsSubsequence(type.equals("Byte") ? "get" : "get" + type, "isValid");
    }
  }

  @Test
  void ofPinnedRead() throws IOException {
    assertThat(accesses(body(source("slot/SlotProtocol"), "pin")))
        .containsExactly(
            "getAndAddMeta", "compareAndSetMeta", "getAndAddMeta", "keyLoOpaque", "keyHiOpaque");
  }

  @Test
  void ofTearDown() throws IOException {
    assertThat(calls(body(source("table/EntryLifecycle"), "tearDown")))
        .containsSubsequence(
            "keyHiOpaque", "keyLoOpaque", "vacate", "finishTearDown", "leaveTable");
    assertThat(calls(body(source("versioned/VersionedTable"), "tearDown")))
        .containsSubsequence("vacate", "clear", "finishTearDown", "left");
  }

  @Test
  void ofInsert() throws IOException {
    assertThat(calls(body(source("table/Insertion"), "insert")))
        .containsSubsequence("claim", "fill", "announce", "visible", "publish", "announceAgain");
    assertThat(calls(body(source("versioned/VersionedTable"), "insert")))
        .containsSubsequence(
            "fill", "set", "announce", "clear", "withdraw", "publish", "announceAgain");
    for (String search : List.of("findCurrentIn", "findAnotherOrInvalidate")) {
      assertThat(calls(body(source("table/PendingWrites"), search)))
          .containsSubsequence("candidates", "findOrInvalidate");
      assertThat(body(source("table/PendingWrites"), search)).contains("inserts.candidates(");
    }
    assertThat(body(source("versioned/VersionedTable"), "isPresentBeside"))
        .contains("tentativeInserts.candidates(");
  }

  @Test
  void ofOverwrite() throws IOException {
    assertThat(calls(body(source("table/Insertion"), "supersede")))
        .containsSubsequence("publish", "step", "supersedeAndRelease", "endSuperseding");
    assertThat(calls(body(source("table/Insertion"), "put")))
        .containsSubsequence("announce", "visible", "pin", "supersede");
    assertThat(calls(body(source("table/PendingWrites"), "erase")))
        .containsSubsequence("markErasing", "completeErase");
    assertThat(calls(body(source("table/PendingWrites"), "findCurrentIn")))
        .containsSubsequence("findOrInvalidate", "isErasing", "markErasing", "completeErase");
    assertThat(calls(body(source("table/PendingWrites"), "completeReplacement")))
        .containsSubsequence("step", "hideOlder", "hideOlder", "endSuperseding");
    assertThat(calls(body(source("table/PendingWrites"), "hideOlder")))
        .containsSubsequence("pin", "isSuperseding", "supersedeAndRelease");
  }

  @Test
  void ofMove() throws IOException {
    assertThat(calls(body(source("table/Migration"), "move")))
        .containsSubsequence(
            "valueAcquire",
            "fill",
            "announce",
            "isCurrent",
            "publish",
            "forward",
            "supersedeAndRelease",
            "endSuperseding",
            "release",
            "freeIfOwned");
    assertThat(body(source("table/Migration"), "settleBlock"))
        .contains("from.tentativeInserts.candidates(");
    assertThat(calls(body(source("table/Migration"), "settleBlock")))
        .containsSubsequence("candidates", "settle");
    assertThat(calls(body(source("table/Migration"), "settle")))
        .containsSubsequence("invalidate", "hash", "claimForMoved", "moveTo");
    assertThat(calls(body(source("table/Migration"), "moveTo")))
        .containsSubsequence("pinAny", "awaitBriefly", "move", "abandon");
    assertThat(calls(body(source("cache/Resizing"), "succeed")))
        .containsSubsequence("isPaid", "leaveFor");
    assertThat(calls(body(source("cache/Resizing"), "begin")))
        .containsSubsequence("succeed", "run");
  }

  @Test
  void ofExchange() throws IOException {
    assertThat(calls(body(source("table/InPlaceUpdate"), "exchange")))
        .containsSubsequence("enter", "isOf", "isSameKind", "valueOpaque", "setValue", "leave");
    assertThat(calls(body(source("table/EntryLifecycle"), "holds")))
        .endsWith("await", "valueOpaque");
    assertThat(calls(body(source("table/PendingWrites"), "erase")))
        .containsSubsequence(
            "completeReplacement", "pinCurrent", "holds", "markErasing", "completeErase");
    assertThat(calls(body(source("table/Insertion"), "put")))
        .containsSubsequence("pin", "holds", "supersede");
    assertThat(calls(body(source("table/PinnedReads"), "lookupHere")))
        .containsSubsequence("search", "awaitBriefly");
    assertThat(calls(body(source("table/PinnedReads"), "search")))
        .containsSubsequence(
            "of",
            "candidates",
            "metaAcquire",
            "keyLoOpaque",
            "keyHiOpaque",
            "pin",
            "pinned",
            "isSuperseding",
            "another",
            "release",
            "of");
    assertThat(calls(body(source("slot/SlotProtocol"), "pin")))
        .containsSubsequence("getAndAddMeta", "keyLoOpaque", "keyHiOpaque", "isMarked");
    assertThat(calls(body(source("handle/TableEntries"), "pinnedValue")))
        .containsSubsequence("coldSoon", "value", "release");
    assertThat(calls(body(source("handle/TableEntries"), "value"))).endsWith("valueAcquire");
    assertThat(calls(body(source("table/TableScan"), "forEachPinned")))
        .containsSubsequence("pinAny", "coldSoon", "valueAcquire");
  }

  @Test
  void ofTwoVersions() throws IOException {
    assertThat(calls(body(source("versioned/VersionedTable"), "commitValue")))
        .containsSubsequence("setValue", "clear", "complete");
    assertThat(calls(body(source("versioned/VersionedShard"), "place")))
        .containsSubsequence("enter", "set", "prepare");
    assertThat(calls(body(source("versioned/VersionedTable"), "look")))
        .containsSubsequence(
            "tailAcquire", "metaAcquire", "get", "shown", "committed", "stillTenant");
    assertThat(calls(body(source("versioned/VersionedTable"), "committed")))
        .containsSubsequence("beneath", "valueOpaque");
    assertThat(calls(body(source("versioned/Prepare"), "tryEnd")))
        .containsSubsequence("divertReads", "compareAndSet", "writeDown");
    assertThat(calls(body(source("versioned/DefaultVersionedCache"), "markInDoubt")))
        .containsSubsequence("divertReads", "markInDoubt");
    assertThat(calls(body(source("versioned/PrepareArray"), "set"))).endsWith("setRelease");
    assertThat(calls(body(source("versioned/PrepareArray"), "clear"))).endsWith("setRelease");
    assertThat(accesses(body(source("slot/WriterLatch"), "setValue")))
        .containsExactly("setValueRelease");
    assertThat(accesses(body(source("slot/WriterLatch"), "enter")))
        .containsExactly("metaAcquire", "compareAndSetMeta");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "slot/HeapSlotStore",
        "slot/OffHeapSlotStore",
        "slot/AddressSlotStore",
        "slot/SlotStore"
      })
  void modesOfStoresAreThoseInTheirNames(String file) throws IOException {
    Matcher method = STORE_METHOD.matcher(source(file));
    List<String> wrong = new ArrayList<>();
    int checked = 0;
    while (method.find()) {
      String mode = modeInName(method.group(1));
      if (!mode.isEmpty() && !method.group(1).startsWith("candidates")) {
        checked++;
        if (!method.group(2).equals(mode)) {
          wrong.add(method.group(1) + " calls " + method.group(2));
        }
      }
    }
    assertThat(checked).isPositive();
    assertThat(wrong).isEmpty();
  }

  /** Those of a bucket's tags, which a store's methods for two buckets make. */
  @Test
  void ofTags() throws IOException {
    String store = source("slot/SlotStore");
    for (String search : List.of("candidates", "untagged")) {
      assertThat(calls(body(store, search))).contains("tagsAcquire").doesNotContain("tagsVolatile");
    }
    assertThat(calls(body(store, "candidatesVolatile")))
        .contains("tagsVolatile")
        .doesNotContain("tagsAcquire");
    assertThat(calls(body(store, "setTag"))).contains("getAndAddTags");
    assertThat(calls(body(store, "clearTag"))).contains("getAndAddTags");
  }

  private static String modeInName(String method) {
    for (String prefix : List.of("compareAndSet", "getAndAdd", "getAndSet")) {
      if (method.startsWith(prefix)) {
        return prefix;
      }
    }
    String verb = method.startsWith("set") ? "set" : "get";
    for (String mode : List.of("Acquire", "Release", "Opaque", "Volatile")) {
      if (method.endsWith(mode)) {
        return verb + mode;
      }
    }
    return "";
  }

  private static String source(String file) throws IOException {
    String text = Files.readString(INTERNAL.resolve(file + ".java"));
    return COMMENT.matcher(text).replaceAll("");
  }

  private static List<String> wordAccesses(String body) {
    return WORD_ACCESS
        .matcher(body)
        .results()
        .map(access -> access.group().replaceAll("\\s", "").replace("block+", "block,"))
        .toList();
  }

  private static List<String> accesses(String body) {
    return ACCESS.matcher(body).results().map(access -> access.group(1)).toList();
  }

  private static List<String> calls(String body) {
    return CALL.matcher(body).results().map(call -> call.group(1)).toList();
  }

  /** Text between the braces of the one method of this name that is declared. */
  private static String body(String source, String method) {
    Pattern declaration =
        Pattern.compile(
            "^  (?:[\\w<>@]+ )+" + method + "\\([^()]*\\)(?: throws \\w+)? \\{", Pattern.MULTILINE);
    Matcher matcher = declaration.matcher(source);
    assertThat(matcher.find()).as(method.toLowerCase(Locale.ROOT) + " is declared").isTrue();
    int depth = 1;
    int end = matcher.end();
    while (depth > 0) {
      char c = source.charAt(end++);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
    return source.substring(matcher.end(), end - 1);
  }
}
