/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where {@link AddressSlotStore} reads and writes: in the words of the slot named, nowhere else.
 */
class AddressesTest {
  private static final String SOURCE =
      "src/main/java/io/hyperclock/internal/slot/AddressSlotStore.java";
  private static final String USABLE = "io.hyperclock.internal.slot.AllMemory#isUsable";

  /** Otherwise the tests of stores at addresses would all be left out and nobody would see it. */
  @Test
  @EnabledForJreRange(minVersion = AllMemory.FIRST_FEATURE)
  void testsRunWithNativeAccess() {
    assertThat(AllMemory.isUsable()).as("--enable-native-access=ALL-UNNAMED").isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 24, 4096})
  @EnabledIf(USABLE)
  void eachWordIsWhereItsSlotSays(int slots) {
    GuardedMemory memory = new GuardedMemory();
    SlotStore store = memory.newStore(slots);
    for (int slot = 0; slot < slots; slot++) {
      write(store, slot);
    }
    for (int bucket = 0; bucket < slots / SlotStore.BUCKET_SLOTS; bucket++) {
      assertThat(store.getAndAddTags(bucket, value(bucket, 5))).isZero();
    }
    ByteBuffer words = memory.words(0).order(ByteOrder.nativeOrder());
    assertThat(words.capacity()).isEqualTo(slots * 41);
    for (int slot = 0; slot < slots; slot++) {
      for (int word = 0; word < SlotStore.HOT_WORDS; word++) {
        assertThat(words.getLong(slot * 32 + word * 8)).isEqualTo(value(slot, word));
      }
      assertThat(words.getLong(slots * 32 + slot * 8)).isEqualTo(value(slot, 4));
      assertReads(store, slot);
    }
    for (int bucket = 0; bucket < slots / SlotStore.BUCKET_SLOTS; bucket++) {
      assertThat(words.getLong(slots * 40 + bucket * 8)).isEqualTo(value(bucket, 5));
      assertThat(store.tagsAcquire(bucket)).isEqualTo(value(bucket, 5));
      assertThat(store.tagsVolatile(bucket)).isEqualTo(value(bucket, 5));
    }
    memory.assertGuardsAreWhole();
  }

  private static long value(int slot, int word) {
    return (slot + 1L) << 8 | word;
  }

  /** Each word by each of the steps that can write it, the last of them with what is to stay. */
  private static void write(SlotStore store, int slot) {
    long meta = value(slot, SlotStore.META);
    store.setMetaRelease(slot, 1);
    assertThat(store.compareAndSetMeta(slot, 0, 9)).isFalse();
    assertThat(store.compareAndSetMeta(slot, 1, 2)).isTrue();
    assertThat(store.getAndAddMeta(slot, meta - 2)).isEqualTo(2);
    store.setKeyOpaque(slot, value(slot, SlotStore.KEY_HI), value(slot, SlotStore.KEY_LO));
    store.setTailRelease(slot, 1);
    assertThat(store.compareAndSetTail(slot, 0, 9)).isFalse();
    assertThat(store.compareAndSetTail(slot, 1, value(slot, SlotStore.TAIL))).isTrue();
    store.setColdOpaque(slot, 1);
    assertThat(store.compareAndSetCold(slot, 0, 9)).isFalse();
    assertThat(store.compareAndSetCold(slot, 1, 2)).isTrue();
    assertThat(store.getAndSetCold(slot, value(slot, 4))).isEqualTo(2);
  }

  private static void assertReads(SlotStore store, int slot) {
    assertThat(List.of(store.metaAcquire(slot), store.metaOpaque(slot), store.metaVolatile(slot)))
        .containsOnly(value(slot, SlotStore.META));
    assertThat(store.keyHiOpaque(slot)).isEqualTo(value(slot, SlotStore.KEY_HI));
    assertThat(store.keyLoOpaque(slot)).isEqualTo(value(slot, SlotStore.KEY_LO));
    assertThat(List.of(store.tailAcquire(slot), store.tailOpaque(slot), store.tailVolatile(slot)))
        .containsOnly(value(slot, SlotStore.TAIL));
    assertThat(store.coldAcquire(slot)).isEqualTo(value(slot, 4));
  }

  @Test
  @EnabledIf(USABLE)
  void assertionsRefuseWhatIsNoSlot() {
    assumeTrue(AddressSlotStore.class.desiredAssertionStatus(), "the process would end without");
    GuardedMemory memory = new GuardedMemory();
    SlotStore store = memory.newStore(16);
    List<IntConsumer> ofSlots =
        List.of(
            slot -> store.metaAcquire(slot),
            slot -> store.setMetaRelease(slot, 1),
            slot -> store.keyLoOpaque(slot),
            slot -> store.setTailRelease(slot, 1),
            slot -> store.coldAcquire(slot),
            slot -> store.setColdOpaque(slot, 1),
            slot -> store.read(slot, 1, 2, MetaWord.VISIBLE));
    for (IntConsumer access : ofSlots) {
      for (int slot : new int[] {-1, 16, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        assertThatThrownBy(() -> access.accept(slot)).isInstanceOf(AssertionError.class);
      }
    }
    List<IntConsumer> ofBuckets =
        List.of(
            bucket -> store.tagsAcquire(bucket),
            bucket -> store.getAndAddTags(bucket, 1),
            bucket -> store.find(bucket, 1, 1, 1, 2, 0, 0, 0),
            bucket -> store.find(1, bucket, 1, 1, 2, 0, 0, 0));
    for (IntConsumer access : ofBuckets) {
      for (int bucket : new int[] {-1, 2, Integer.MAX_VALUE}) {
        assertThatThrownBy(() -> access.accept(bucket)).isInstanceOf(AssertionError.class);
      }
    }
    memory.assertGuardsAreWhole();
  }

  @Test
  @EnabledIf(USABLE)
  void theLargestTableFitsIntoItsMemory() {
    int slots = OffHeapSlotStore.MAX_SLOTS;
    assertThat(slots).isGreaterThan(52_000_000);
    assertThat(slots % SlotStore.BUCKET_SLOTS).isZero();
    assertThat(slots * 41L).isLessThanOrEqualTo(AlignedMemory.MAX_BYTES);
    for (int slot = slots; slot-- > 0; ) {
      for (int word = 0; word < SlotStore.HOT_WORDS; word++) {
        if (AddressSlotStore.offset(slot, word) != slot * 32L + word * 8L) {
          assertThat(AddressSlotStore.offset(slot, word)).isEqualTo(slot * 32L + word * 8L);
        }
      }
    }
  }

  @ParameterizedTest
  @EnabledIf(USABLE)
  @ValueSource(longs = {-64, 8, 63, 65, 1L << 62, Long.MIN_VALUE})
  void memoryThatDoesNotBeginWithALineIsRefused(long address) {
    assertThatThrownBy(() -> AddressSlotStore.line(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("address=" + address);
  }

  @ParameterizedTest
  @EnabledIf(USABLE)
  @ValueSource(longs = {64, 0x7FFF_FFFF_FFC0L, (1L << 62) - 64})
  void anyOtherIsNot(long address) {
    assertThat(AddressSlotStore.line(address)).isEqualTo(address >>> 6);
  }

  @Test
  @EnabledIf(USABLE)
  void memoryLivesAsLongAsTheStore() {
    List<Reference<ByteBuffer>> blocks = new ArrayList<>();
    SlotStore store =
        new AddressSlotStore(
            64,
            bytes -> {
              ByteBuffer block = AlignedMemory.allocate(bytes);
              blocks.add(new WeakReference<>(block));
              return block;
            });
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    assertThat(blocks).hasSize(1).noneMatch(block -> block.refersTo(null));
    assertThat(store.metaAcquire(63)).isZero();
    store = null;
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              return blocks.stream().allMatch(block -> block.refersTo(null));
            });
  }

  /** No run would show that a fence is gone: the collector comes once in millions of accesses. */
  @Test
  void everyAccessEndsWithAFenceThatKeepsTheMemory() throws IOException {
    Matcher method =
        Pattern.compile("\n  (?:\\w[^\n;=]*[ ]|)(\\w+)\\([^()]*\\) \\{\n(.*?)\n  }", Pattern.DOTALL)
            .matcher(Files.readString(Path.of(SOURCE)));
    List<String> accessing = new ArrayList<>();
    while (method.find()) {
      String body = method.group(2);
      boolean calls = body.contains("validated(") || body.contains("WORD.");
      if (calls && !method.group(1).equals("validated")) {
        accessing.add(method.group(1));
        assertThat(body)
            .as(method.group(1))
            .containsPattern(
                "return reachable\\([^;]*\\);$|reachabilityFence\\(memory\\);(?![^}]*WORD)")
            .doesNotContainPattern("(?<!Fence\\(memory\\);)\n\\s+return (?!reachable)");
      } else if (method.group(1).equals("reachable")) {
        assertThat(body.strip()).startsWith("Reference.reachabilityFence(memory);");
      }
    }
    assertThat(accessing)
        .containsExactlyInAnyOrder(
            "getAcquire",
            "getVolatile",
            "getOpaque",
            "setOpaque",
            "setRelease",
            "compareAndSet",
            "getAndAdd",
            "getAndSet",
            "read",
            "find");
  }

  @Test
  void memoryIsNotMuchMoreThanWasAskedFor() {
    for (int bytes = 1; bytes <= 1000; bytes++) {
      assertThat(AlignedMemory.allocate(bytes).capacity())
          .isBetween(bytes, bytes + 3 * AlignedMemory.CACHE_LINE);
    }
  }
}
