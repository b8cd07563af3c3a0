/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The judge must be able to find each kind of guilt, and nothing else. */
class HistoryTest {
  private final PromiseHistory history = new PromiseHistory(2);
  private final PromiseHistory.Recorder recorder = history.recorder();

  @Test
  void acceptsTheLastValueAndAnyOfConcurrentOnes() {
    put(1, 1, 1, 2);
    put(1, 2, 3, 6);
    put(1, 3, 4, 5);
    read(1, 1, 2, 4);
    read(1, 2, 7, 8);
    read(1, 3, 7, 8);
    read(1, 1, 4, 8);
    assertThat(history.wrong()).isEmpty();
  }

  @Test
  void findsValuesOlderThanTheLastPut() {
    put(1, 1, 1, 2);
    put(1, 2, 3, 4);
    read(1, 1, 5, 6);
    assertThat(history.wrong()).singleElement().asString().startsWith("outdated");
  }

  @Test
  void findsValuesThatWereErased() {
    put(1, 1, 1, 2);
    put(1, PromiseHistory.ERASED, 3, 4);
    read(1, 1, 5, 6);
    assertThat(history.wrong()).singleElement().asString().startsWith("outdated");
  }

  @Test
  void findsValuesErasedBetweenConcurrentPuts() {
    put(1, 1, 1, 10);
    put(1, 2, 2, 3);
    put(1, PromiseHistory.ERASED, 4, 5);
    read(1, 2, 6, 7);
    assertThat(history.wrong()).hasSize(1);
  }

  @Test
  void forgivesUncertainWrites() {
    put(1, 1, 1, 2);
    recorder.wrote(1, PromiseHistory.ERASED, 3, 4, false);
    recorder.wrote(1, 2, 3, 4, false);
    read(1, 1, 5, 6);
    read(1, 2, 5, 6);
    assertThat(history.wrong()).isEmpty();
  }

  @Test
  void findsValuesThatNobodyPut() {
    put(1, 1, 1, 2);
    read(0, 1, 3, 4);
    read(1, 2, 3, 4);
    assertThat(history.wrong()).hasSize(2).allMatch(text -> text.startsWith("never put"));
  }

  @Test
  void findsValuesFromTheFuture() {
    read(1, 1, 1, 2);
    put(1, 1, 3, 4);
    assertThat(history.wrong()).singleElement().asString().startsWith("not yet put");
  }

  private void put(int key, int version, long begin, long end) {
    recorder.wrote(key, version, begin, end, true);
  }

  private void read(int key, int version, long begin, long end) {
    recorder.read(key, version, begin, end);
  }
}
