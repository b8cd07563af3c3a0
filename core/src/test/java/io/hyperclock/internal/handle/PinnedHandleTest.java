/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Handles on what a test pins, those that are used again among them. */
class PinnedHandleTest {
  private static final EntryType<String> TYPE = EntryType.of("pinned");

  /** Notes what it is asked to do. */
  private static final class Target implements PinTarget {
    private final List<String> calls = new ArrayList<>();
    private boolean tracks = true;
    private boolean releases = true;
    private boolean frees;
    private Runnable callback = () -> {};

    @Override
    public long keyHi(int slot) {
      return 100 + slot;
    }

    @Override
    public long keyLo(int slot) {
      return 200 + slot;
    }

    @Override
    public long chargeBytes(int slot) {
      return 300 + slot;
    }

    @Override
    public EntryType<?> type(int slot) {
      return TYPE;
    }

    @Override
    public boolean isStandalone() {
      return true;
    }

    @Override
    public void ref(int slot) {
      calls.add("ref " + slot);
    }

    @Override
    public <V> Handle<V> handle(int slot, V value) {
      if (!tracks) {
        release(slot, false, false);
        throw new IllegalStateException("not tracked");
      }
      return new PinnedHandle<>(this, slot, value);
    }

    @Override
    public boolean adjustCharge(int slot, long newChargeBytes) {
      calls.add("charge " + slot + " " + newChargeBytes);
      return newChargeBytes > 0;
    }

    @Override
    public boolean release(int slot, boolean useful, boolean eraseIfLast) {
      calls.add("release " + slot + " " + useful + " " + eraseIfLast);
      callback.run();
      if (!releases) {
        throw new IllegalStateException("not released");
      }
      return frees;
    }

    @Override
    public void reportDoubleClose(int slot) {
      calls.add("double " + slot);
    }
  }

  private final Target target = new Target();
  private final PinnedHandle<String> handle = new PinnedHandle<>(target, 7, "value");
  private final PinnedHandle<String> reused = new PinnedHandle<>();

  private static void assertReleased(Handle<?> handle) {
    assertThat(handle.isReleased()).isTrue();
    assertThat(handle).hasToString("Handle[released]");
    for (Runnable call : List.<Runnable>of(handle::value, handle::keyHi, handle::ref)) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("handle must not be released: released=true");
    }
  }

  @Test
  void aHandleAnswersWithWhatItPins() {
    assertThat(handle.value()).isEqualTo("value");
    assertThat(handle.keyHi()).isEqualTo(107);
    assertThat(handle.keyLo()).isEqualTo(207);
    assertThat(handle.chargeBytes()).isEqualTo(307);
    assertThat(handle.chargeBytesSoon()).isEqualTo(307);
    assertThat(handle.type()).isSameAs(TYPE);
    assertThat(handle.isStandalone()).isTrue();
    assertThat(handle.adjustCharge(1)).isTrue();
    assertThat(handle.adjustCharge(0)).isFalse();
    assertThat(handle).hasToString("Handle[" + TYPE + ", key=107:207]");
    assertThat(target.calls)
        .containsExactly(
            "ref 7",
            "charge 7 1",
            "release 7 false false",
            "ref 7",
            "charge 7 0",
            "release 7 false false");
  }

  @Test
  void eachWayToEndAPinTellsTheTarget() {
    handle.close();
    assertReleased(handle);
    assertThat(new PinnedHandle<>(target, 8, "value").discard()).isFalse();
    target.frees = true;
    assertThat(new PinnedHandle<>(target, 9, "value").discard()).isTrue();
    assertThat(new PinnedHandle<>(target, 10, "value").eraseIfLast()).isTrue();
    assertThat(target.calls)
        .containsExactly(
            "release 7 true false",
            "release 8 false false",
            "release 9 false false",
            "release 10 false true");
  }

  @Test
  void aSecondCloseIsReportedUnlessTheHandleIsUsedAgain() {
    target.frees = true;
    handle.close();
    assertThat(handle.discard()).isFalse();
    reused.reuse(target, 8, "other");
    reused.close();
    assertThat(reused.discard()).isFalse();
    assertThat(target.calls)
        .containsExactly("release 7 true false", "double 7", "release 8 true false");
  }

  @Test
  void aHandleThatIsNotTrackedGivesItsPinBack() {
    target.tracks = false;
    assertThatThrownBy(handle::ref).hasMessage("not tracked");
    assertThat(target.calls).containsExactly("ref 7", "release 7 false false");
    target.tracks = true;
    Handle<String> another = handle.ref();
    assertThat(another.value()).isEqualTo("value");
    assertThat(another).isNotSameAs(handle);
  }

  @Test
  void aHandleWhosePinDidNotEndIsOpen() {
    target.releases = false;
    target.callback = () -> assertThat(handle.isReleased()).isTrue();
    assertThatThrownBy(handle::close).hasMessage("not released");
    assertThat(handle.isReleased()).isFalse();
    assertThat(handle.value()).isEqualTo("value");
  }

  @Test
  void aHandleIsReusableWhileItIsReleased() {
    assertThat(handle.isReusable()).isFalse();
    assertThat(reused.isReusable()).isTrue();
    assertReleased(reused);
    reused.reuse(target, 8, "other");
    assertThat(reused.isReusable()).isFalse();
    assertThat(reused.isReleased()).isFalse();
    assertThat(reused.value()).isEqualTo("other");
    assertThat(reused.keyHi()).isEqualTo(108);
    reused.close();
    assertThat(reused.isReusable()).isTrue();
    assertReleased(reused);
    handle.close();
    assertThat(handle.isReusable()).isFalse();
  }

  @Test
  void aPinIsTakenOverFromAnOpenHandleOnly() {
    reused.reuse(handle);
    assertThat(reused.value()).isEqualTo("value");
    assertThat(reused.keyHi()).isEqualTo(107);
    assertThat(target.calls).isEmpty();
    handle.close();
    assertThatThrownBy(() -> new PinnedHandle<String>().reuse(handle))
        .isInstanceOf(IllegalStateException.class);
  }

  /** Its owner uses it in a callback of its own release. */
  @Test
  void aHandleThatIsUsedAgainWhileItIsClosedKeepsItsNewPin() {
    reused.reuse(target, 8, "first");
    target.callback = () -> reused.reuse(target, 9, "second");
    reused.close();
    assertThat(reused.isReleased()).isFalse();
    assertThat(reused.value()).isEqualTo("second");
    assertThat(reused.keyHi()).isEqualTo(109);
  }

  private WeakReference<Object> closedWithAValue(PinnedHandle<Object> handle) {
    Object value = new Object();
    handle.reuse(new Target(), 8, value);
    handle.close();
    return new WeakReference<>(value);
  }

  @Test
  void aReleasedHandleThatIsUsedAgainKeepsNoValue() {
    PinnedHandle<Object> waiting = new PinnedHandle<>();
    WeakReference<Object> value = closedWithAValue(waiting);
    await()
        .atMost(Duration.ofSeconds(WAIT_SECONDS))
        .until(
            () -> {
              System.gc();
              return value.refersTo(null);
            });
    assertThat(waiting.isReusable()).isTrue();
  }
}
