/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.observe.IncidentLog;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loaded values that meet an erase or an insert of others on their way into the cache. */
@Tag("loading")
class LoadOutcomeTest {
  private static final Key128 KEY = new Key128(1, 2);

  private final AtomicInteger freed = new AtomicInteger();
  private final EntryType<Object> type =
      EntryType.named("counted").disposer((hi, lo, value) -> freed.incrementAndGet()).build();
  private final EntryType<Object> collected = EntryType.named("collected").build();

  private final BlockCache<Object> cache =
      BlockCache.<Object>builder()
          .capacityBytes(100)
          .estimatedEntryCharge(10)
          .shards(1)
          .capacityMode(CapacityMode.NON_STRICT)
          .metadataCharge(MetadataCharge.NONE)
          .build();

  /** Run once before the method of the cache with this name. */
  private final Map<String, Runnable> before = new HashMap<>();

  /** Run once after it. */
  private final Map<String, Runnable> after = new HashMap<>();

  private final HandleResults<Object> handles =
      new HandleResults<>(watched(), this::lookAgain, new IncidentLog("a disposer threw"));
  private final ValueResults<Object> values = new ValueResults<>(watched());
  private final InFlightLoad<Object> flight =
      new InFlightLoad<>(KEY, new LoadTask(true, null), false);
  private final InsertPermit permit = flight.permit;

  @SuppressWarnings("unchecked")
  private BlockCache<Object> watched() {
    return (BlockCache<Object>)
        Proxy.newProxyInstance(
            BlockCache.class.getClassLoader(),
            new Class<?>[] {BlockCache.class},
            (proxy, method, arguments) -> {
              run(before.remove(method.getName()));
              try {
                return method.invoke(cache, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                run(after.remove(method.getName()));
              }
            });
  }

  private @Nullable Handle<Object> lookAgain(long hi, long lo) {
    run(before.remove("lookAgain"));
    return cache.lookup(hi, lo);
  }

  private static void run(@Nullable Runnable action) {
    if (action != null) {
      action.run();
    }
  }

  private LoadedEntry<Object> counted() {
    return new LoadedEntry<>(KEY.hi(), KEY.lo(), "loaded", type, 10, Priority.LOW);
  }

  private LoadedEntry<Object> text() {
    return new LoadedEntry<>(KEY.hi(), KEY.lo(), "loaded", collected, 10, Priority.LOW);
  }

  private void insertAnother() {
    cache.put(KEY.hi(), KEY.lo(), "another", 10);
  }

  private @Nullable Object present() {
    try (Handle<Object> handle = cache.lookup(KEY.hi(), KEY.lo())) {
      return handle == null ? null : handle.value();
    }
  }

  /** An erase by a thread inside a task, which does not wait for the insert. */
  private void doubt() {
    LoadTask task = new LoadTask(true, null);
    task.enter();
    assertThat(permit.invalidate()).isFalse();
    task.exit();
  }

  private static RuntimeException broken() {
    return new IllegalStateException("broken");
  }

  private static void fail() {
    throw broken();
  }

  @AfterEach
  void nothingIsHeld() {
    assertThat(before).isEmpty();
    assertThat(after).isEmpty();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    cache.close();
  }

  @Test
  void aDoubtedHandleIsErasedAgainAndNotShared() {
    after.put("insertPinned", this::doubt);
    Handle<Object> own = handles.land(flight, counted());
    assertThat(own.value()).isEqualTo("loaded");
    assertThat(flight.outcome).isSameAs(SharedResult.again());
    assertThat(present()).isNull();
    assertThat(freed).hasValue(0);
    own.close();
    assertThat(freed).hasValue(1);
  }

  @Test
  void aDoubtedHandleIsGivenBackIfItCannotBeErased() {
    after.put("insertPinned", this::doubt);
    before.put("erase", LoadOutcomeTest::fail);
    assertThatThrownBy(() -> handles.land(flight, counted())).hasMessage("broken");
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  @Test
  void aDoubtedValueIsErasedAgainAndNotShared() {
    after.put("insert", this::doubt);
    Object own = values.land(flight, text());
    assertThat(own).isEqualTo("loaded");
    assertThat(flight.outcome).isSameAs(SharedResult.again());
    assertThat(present()).isNull();
  }

  /** An insert that runs out of memory when the entry is in the cache, and meets an erase. */
  private Runnable brokenInsert(EntryType<Object> of) {
    return () -> {
      cache.insert(KEY.hi(), KEY.lo(), "loaded", of, 10, Priority.LOW);
      doubt();
      throw new OutOfMemoryError("test");
    };
  }

  @Test
  void aDoubtedHandleWhoseInsertFailsIsErasedAgain() {
    before.put("insertPinned", brokenInsert(type));
    assertThatThrownBy(() -> handles.land(flight, counted())).hasMessage("test");
    assertThat(present()).isNull();
    assertThat(freed).hasValue(1);
  }

  @Test
  void aDoubtedValueWhoseInsertFailsIsErasedAgain() {
    before.put("insert", brokenInsert(collected));
    assertThatThrownBy(() -> values.land(flight, text())).hasMessage("test");
    assertThat(present()).isNull();
  }

  /** An insert that fails behind one of the same key by another thread. */
  private void failBehindAnother() {
    insertAnother();
    fail();
  }

  @Test
  void aHandleWhoseInsertFailsLeavesTheEntryOfOthers() {
    before.put("insertPinned", this::failBehindAnother);
    assertThatThrownBy(() -> handles.land(flight, counted())).hasMessage("broken");
    assertThat(present()).isEqualTo("another");
    assertThat(freed).hasValue(1);
  }

  @Test
  void aValueWhoseInsertFailsLeavesTheEntryOfOthers() {
    before.put("insert", this::failBehindAnother);
    assertThatThrownBy(() -> values.land(flight, text())).hasMessage("broken");
    assertThat(present()).isEqualTo("another");
  }

  @Test
  void aHandleInTheCacheIsShared() {
    Handle<Object> own = handles.land(flight, counted());
    assertThat(flight.outcome.handle()).isSameAs(own);
    assertThat(own.isStandalone()).isFalse();
    LoadTask task = new LoadTask(true, null);
    task.enter();
    assertThat(permit.invalidate()).as("the insert is over").isTrue();
    task.exit();
    own.close();
  }

  /** Nothing fits, so that the handle is a standalone one. */
  private void fill() {
    cache.setCapacityBytes(1);
  }

  @Test
  void aStandaloneHandleGivesWayToAnEntryOfOthers() {
    before.put("insertPinned", this::fill);
    after.put(
        "insertPinned",
        () -> {
          cache.setCapacityBytes(100);
          insertAnother();
        });
    Handle<Object> own = handles.land(flight, counted());
    assertThat(own.value()).isEqualTo("another");
    assertThat(flight.outcome).isSameAs(SharedResult.again());
    assertThat(freed).hasValue(1);
    own.close();
  }

  @Test
  void aStandaloneHandleIsSharedIfItsKeyIsAbsent() {
    before.put("insertPinned", this::fill);
    Handle<Object> own = handles.land(flight, counted());
    assertThat(own.isStandalone()).isTrue();
    assertThat(flight.outcome.handle()).isSameAs(own);
    own.close();
    assertThat(freed).hasValue(1);
  }

  @Test
  void aStandaloneHandleIsGivenBackIfTheLookForOthersFails() {
    before.put("insertPinned", this::fill);
    before.put("lookAgain", LoadOutcomeTest::fail);
    assertThatThrownBy(() -> handles.land(flight, counted())).hasMessage("broken");
    assertThat(freed).hasValue(1);
  }

  @Test
  void aHandleThatWasOvertakenGivesWayToWhatWasInserted() {
    insertAnother();
    assertThat(permit.overtake()).isTrue();
    Handle<Object> own = handles.land(flight, counted());
    assertThat(own.value()).isEqualTo("another");
    assertThat(flight.outcome).isSameAs(SharedResult.again());
    assertThat(freed).hasValue(1);
    own.close();
  }

  @Test
  void aValueThatWasOvertakenIsFreedIfTheLookForTheOtherFails() {
    assertThat(permit.overtake()).isTrue();
    before.put("lookAgain", LoadOutcomeTest::fail);
    assertThatThrownBy(() -> handles.land(flight, counted())).hasMessage("broken");
    assertThat(freed).hasValue(1);
  }

  @Test
  void aValueThatWasOvertakenIsFreedIfTheStackOrTheMemoryEndsInTheLookForTheOther() {
    assertThat(permit.overtake()).isTrue();
    before.put(
        "lookAgain",
        () -> {
          throw new StackOverflowError("test");
        });
    assertThatThrownBy(() -> handles.land(flight, counted())).hasMessage("test");
    assertThat(freed).hasValue(1);
  }

  @Test
  void aValueGivesWayToAnEntryOfOthers() {
    before.put("insert", this::insertAnother);
    Object own = values.land(flight, text());
    assertThat(own).isEqualTo("another");
    assertThat(flight.outcome).isSameAs(SharedResult.again());
    assertThat(present()).isEqualTo("another");
  }

  @Test
  void aValueThatAnEntryOfOthersKeptOutIsTheCallersIfThatIsGone() {
    before.put("insert", this::insertAnother);
    after.put("insert", () -> cache.erase(KEY.hi(), KEY.lo()));
    Object own = values.land(flight, text());
    assertThat(own).isEqualTo("loaded");
    assertThat(flight.outcome).isSameAs(SharedResult.again());
  }
}
