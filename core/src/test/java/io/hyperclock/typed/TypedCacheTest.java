/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TypedCacheTest {
  /** Keys 0, 1, 2 … with one high word a view. */
  private record Numbered(long space) implements KeyCodec<Integer> {
    @Override
    public long hi(Integer key) {
      return space;
    }

    @Override
    public long lo(Integer key) {
      return key;
    }
  }

  /** Texts by their UTF-8 bytes. */
  private static final class TextCodec implements EntryCodec<String> {
    @Override
    public int encodedSizeBytes(String value) {
      return value.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public void encode(String value, ByteBuffer target) {
      target.put(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String decode(ByteBuffer source, @Nullable Object context) {
      return StandardCharsets.UTF_8.decode(source).toString();
    }

    @Override
    public long chargeBytes(String value) {
      return 2L * value.length();
    }
  }

  private final List<String> freed = new ArrayList<>();
  private final EntryType<String> texts =
      EntryType.<String>named("texts").codec(new TextCodec()).build();
  private final EntryType<String> freedTexts =
      EntryType.<String>named("freed texts")
          .disposer((hi, lo, value) -> freed.add(hi + "/" + lo + "=" + value))
          .build();
  private final EntryType<Integer> counts = EntryType.of("counts");
  private final BlockCache<Object> cache = cache(CapacityMode.STRICT);

  private static BlockCache<Object> cache(CapacityMode mode) {
    return BlockCache.<Object>builder()
        .capacityBytes(100)
        .estimatedEntryCharge(1)
        .capacityMode(mode)
        .metadataCharge(MetadataCharge.NONE)
        .hashSeed(HashSeed.fixed(1))
        .build();
  }

  @AfterEach
  void close() {
    cache.close();
  }

  @Test
  void viewReadsWhatItInserts() {
    TypedCache<Integer, String> view = TypedCache.of(cache, texts, new Numbered(1));
    assertThat(view.type()).isSameAs(texts);
    assertThat(view.get(1)).isNull();
    assertThat(view.lookup(1)).isNull();
    assertThat(view.insert(1, "one")).isEqualTo(InsertResult.INSERTED);
    assertThat(view.insert(1, "uno")).isEqualTo(InsertResult.KEPT_EXISTING);
    assertThat(view.get(1)).isEqualTo("one");
    try (Handle<String> handle = view.lookup(1)) {
      assertThat(handle.value()).isEqualTo("one");
      assertThat(handle.keyHi()).isEqualTo(1);
      assertThat(handle.keyLo()).isEqualTo(1);
      assertThat(handle.type()).isSameAs(texts);
      assertThat(handle.chargeBytes()).as("what the codec says").isEqualTo(6);
    }
    assertThat(view.erase(1)).isTrue();
    assertThat(view.erase(1)).isFalse();
    assertThat(view.get(1)).isNull();
  }

  @Test
  void viewsShareOneBudgetAndSeeTheirOwnEntries() {
    TypedCache<Integer, String> names =
        TypedCache.of(cache, texts, new Numbered(1), value -> 10, Priority.HIGH);
    TypedCache<Integer, Integer> numbers =
        TypedCache.of(cache, counts, new Numbered(2), value -> value, Priority.LOW);
    names.insert(1, "one");
    numbers.insert(1, 7);
    numbers.insert(2, 8);
    assertThat(cache.usageBytes()).isEqualTo(25);
    assertThat(names.get(1)).isEqualTo("one");
    assertThat(numbers.get(1)).isEqualTo(7);

    Map<Long, Integer> visited = new HashMap<>();
    numbers.forEachEntry((hi, lo, value, type, charge) -> visited.put(lo, value));
    assertThat(visited).isEqualTo(Map.of(1L, 7, 2L, 8));
    List<String> visitedNames = new ArrayList<>();
    names.forEachEntry((hi, lo, value, type, charge) -> visitedNames.add(value));
    assertThat(visitedNames).containsExactly("one");
  }

  @Test
  void pinnedInsertHoldsTheValue() {
    TypedCache<Integer, String> view =
        TypedCache.of(cache, freedTexts, new Numbered(3), String::length, Priority.LOW);
    try (Handle<String> handle = view.insertPinned(5, "five")) {
      assertThat(handle.value()).isEqualTo("five");
      assertThat(cache.pinnedUsageBytes()).isEqualTo(4);
      view.erase(5);
      assertThat(freed).isEmpty();
    }
    assertThat(freed).containsExactly("3/5=five");
    assertThatThrownBy(() -> view.insertPinned(6, "x".repeat(101)))
        .isInstanceOf(CapacityExceededException.class);
    assertThat(freed).hasSize(1);
  }

  @Test
  void valuesFreedByHandNeedAPin() {
    TypedCache<Integer, String> view =
        TypedCache.of(cache, freedTexts, new Numbered(3), String::length, Priority.LOW);
    view.insert(1, "one");
    assertThatThrownBy(() -> view.get(1)).isInstanceOf(PinRequiredException.class);
    try (Handle<String> handle = view.lookup(1)) {
      assertThat(handle.value()).isEqualTo("one");
    }
  }

  @Test
  void warmedValueIsFoundAndARefusedOneIsFreed() {
    TypedCache<Integer, String> view =
        TypedCache.of(cache, freedTexts, new Numbered(3), String::length, Priority.HIGH);
    view.warm(1, "one");
    try (Handle<String> handle = view.lookup(1)) {
      assertThat(handle.value()).isEqualTo("one");
    }
    String tooLarge = "x".repeat(101);
    view.warm(2, tooLarge);
    assertThat(freed).containsExactly("3/2=" + tooLarge);
    assertThat(view.lookup(2)).isNull();
    view.warm(1, "uno");
    assertThat(freed).as("kept the older").hasSize(2).contains("3/1=uno");
  }

  @Test
  void warmedValueOfANonStrictCacheIsFreedOnce() {
    try (BlockCache<Object> lenient = cache(CapacityMode.NON_STRICT)) {
      TypedCache<Integer, String> view =
          TypedCache.of(lenient, freedTexts, new Numbered(3), String::length, Priority.HIGH);
      view.warm(2, "x".repeat(101));
      assertThat(freed).hasSize(1);
      assertThat(view.lookup(2)).isNull();
    }
    assertThat(freed).hasSize(1);
  }

  @Test
  void warmedValuesLeaveFirst() {
    TypedCache<Integer, String> view =
        TypedCache.of(cache, texts, new Numbered(1), value -> 1, Priority.LOW);
    for (int key = 0; key < 100; key++) {
      if (key % 2 == 0) {
        view.warm(key, "warm");
      } else {
        view.insert(key, "read");
      }
    }
    for (int key = 1000; key < 1040; key++) {
      view.insert(key, "new");
    }
    Map<String, Integer> left = new HashMap<>();
    view.forEachEntry((hi, lo, value, type, charge) -> left.merge(value, 1, Integer::sum));
    assertThat(left.get("read")).isGreaterThanOrEqualTo(42);
    assertThat(left.getOrDefault("warm", 0)).isLessThanOrEqualTo(25);
  }

  @Test
  void settingsAreChecked() {
    KeyCodec<Integer> keys = new Numbered(1);
    assertThatThrownBy(() -> TypedCache.of(cache, counts, keys))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("type must have a codec: type=");
    assertThatThrownBy(() -> TypedCache.of(null, texts, keys))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("cache must not be null");
    assertThatThrownBy(() -> TypedCache.of(cache, texts, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("keys must not be null");
    assertThatThrownBy(() -> TypedCache.of(cache, null, keys))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("type must not be null");
    assertThatThrownBy(() -> TypedCache.of(cache, null, keys, v -> 1, Priority.LOW))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("type must not be null");
    assertThatThrownBy(() -> TypedCache.of(cache, texts, keys, null, Priority.LOW))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("charge must not be null");
    assertThatThrownBy(() -> TypedCache.of(cache, texts, keys, v -> 1, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("priority must not be null");
  }

  @Test
  void entryOfAnotherTypeUnderAKeyOfTheViewShowsAtUse() {
    TypedCache<Integer, String> view = TypedCache.of(cache, texts, new Numbered(1));
    cache.insert(1, 9, 42, 1);
    assertThatThrownBy(() -> view.get(9).length()).isInstanceOf(ClassCastException.class);
  }

  @Test
  void viewLoadsByItsOwnRules() {
    TypedCache<Integer, String> view = TypedCache.of(cache, texts, new Numbered(1));
    assertThat(view.get(1, key -> "no. " + key)).isEqualTo("no. 1");
    assertThat(view.get(1, key -> "other")).isEqualTo("no. 1");
    assertThat(view.get(2, key -> null)).isNull();
    try (Handle<String> handle = view.lookup(3, key -> "three")) {
      assertThat(handle.type()).isSameAs(texts);
      assertThat(handle.chargeBytes()).as("what the codec says").isEqualTo(10);
    }
    assertThat(view.getAsync(4, Runnable::run, key -> "four")).isCompletedWithValue("four");
    view.lookupAsync(5, Runnable::run, key -> "five").join().close();
    assertThat(view.get(5)).isEqualTo("five");
    TypedCache<Integer, String> byHand =
        TypedCache.of(cache, freedTexts, new Numbered(2), text -> 1, Priority.LOW);
    assertThatThrownBy(() -> byHand.get(1, key -> "one")).isInstanceOf(PinRequiredException.class);
    byHand.lookup(1, key -> "one").close();
    byHand.erase(1);
    assertThat(freed).containsExactly("2/1=one");
  }
}
