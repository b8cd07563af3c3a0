/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FileKeysTest {
  private final FileKeys files = new FileKeys();

  @Test
  void oneNameHasOneNumberUntilItIsDropped() {
    long first = files.open("a");
    assertThat(files.open("a")).isEqualTo(first);
    assertThat(files.open("b")).isNotEqualTo(first);
    assertThat(files.openFiles()).isEqualTo(2);
    assertThat(files.isDropped(first)).isFalse();

    assertThat(files.drop("a")).isTrue();
    assertThat(files.isDropped(first)).isTrue();
    assertThat(files.openFiles()).isEqualTo(1);
    long second = files.open("a");
    assertThat(second).isNotEqualTo(first);
    assertThat(files.isDropped(second)).isFalse();
    assertThat(files.isDropped(first)).isTrue();
  }

  @Test
  void filesAreDroppedByNumberToo() {
    long number = files.open("a");
    assertThat(files.drop(number)).isTrue();
    assertThat(files.drop(number)).as("not open any more").isFalse();
    assertThat(files.drop("a")).isFalse();
    assertThat(files.isDropped(number)).isTrue();
    assertThat(files.openFiles()).isZero();
  }

  @Test
  void whatWasNeverOpenedIsNotDropped() {
    long number = files.open("a");
    assertThat(files.drop("b")).isFalse();
    assertThat(files.drop(number + 1)).isFalse();
    assertThat(files.drop(0)).isFalse();
    files.drop("a");
    for (long other :
        new long[] {
          0,
          -1,
          1,
          number + 1,
          number - 1,
          number ^ 1L << 63,
          number ^ 1L << 40,
          number ^ 1L << 35,
          number ^ 1L << 30
        }) {
      assertThat(files.isDropped(other)).as("%x", other).isFalse();
    }
  }

  @Test
  void oldNumberDoesNotDropTheFileOpenedAgain() {
    long first = files.open("a");
    files.drop("a");
    long second = files.open("a");
    assertThat(files.drop(first)).isFalse();
    assertThat(files.open("a")).isEqualTo(second);
    assertThat(files.isDropped(second)).isFalse();
  }

  @Test
  void manyFilesKeepTheirState() {
    int count = 600_000;
    long[] numbers = new long[count];
    Set<Long> distinct = new HashSet<>();
    for (int i = 0; i < count; i++) {
      numbers[i] = files.open("file " + i);
      distinct.add(numbers[i]);
      if (i % 3 == 0) {
        assertThat(files.drop(numbers[i])).isTrue();
      }
    }
    assertThat(distinct).hasSize(count);
    for (int i = 0; i < count; i++) {
      if (files.isDropped(numbers[i]) != (i % 3 == 0)) {
        throw new AssertionError("file " + i);
      }
    }
    assertThat(files.openFiles()).isEqualTo(count - count / 3);
  }

  @Test
  void numbersOfTwoInstancesAreKeptApart() {
    FileKeys other = new FileKeys();
    long mine = files.open("a");
    long others = other.open("a");
    assertThat(mine >>> 40).isNotZero();
    assertThat(mine & (1L << 40) - 1).isLessThan(1L << 30);
    files.drop(mine);
    if (mine != others) {
      assertThat(other.isDropped(mine)).isFalse();
    }
    long differing = 0;
    for (int i = 0; i < 20; i++) {
      differing += new FileKeys().open("a") == mine ? 0 : 1;
    }
    assertThat(differing).as("tags differ but by chance").isGreaterThanOrEqualTo(19);
  }

  @Test
  void nullNamesAreRefused() {
    assertThatThrownBy(() -> files.open(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name must not be null");
    assertThatThrownBy(() -> files.drop((String) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name must not be null");
  }

  @Test
  void threadsOpeningAndDroppingOneNameAgree() throws Exception {
    Set<Long> opened = ConcurrentHashMap.newKeySet();
    Set<Long> dropped = ConcurrentHashMap.newKeySet();
    AtomicInteger doubleDrops = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      var results =
          pool.invokeAll(
              IntStream.range(0, 3)
                  .mapToObj(
                      thread ->
                          (java.util.concurrent.Callable<Void>)
                              () -> {
                                for (int i = 0; i < 10_000; i++) {
                                  long number = files.open("shared");
                                  opened.add(number);
                                  if (i % 3 == thread
                                      && files.drop(number)
                                      && !dropped.add(number)) {
                                    doubleDrops.incrementAndGet();
                                  }
                                }
                                return null;
                              })
                  .toList(),
              30,
              TimeUnit.SECONDS);
      for (var result : results) {
        result.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(doubleDrops).hasValue(0);
    assertThat(dropped).hasSizeGreaterThan(100);
    for (long number : opened) {
      assertThat(files.isDropped(number)).isEqualTo(dropped.contains(number));
    }
    assertThat(files.openFiles()).isEqualTo(opened.size() - dropped.size()).isBetween(0, 1);
  }

  @Test
  void countsDroppedFilesOnce() {
    FileKeys files = new FileKeys();
    long file = files.open("a");
    assertThat(files.droppedFiles()).isZero();
    assertThat(files.drop(file)).isTrue();
    assertThat(files.drop(file)).isFalse();
    assertThat(files.droppedFiles()).isEqualTo(1);
    assertThat(files.drop(files.open("a"))).isTrue();
    assertThat(files.droppedFiles()).isEqualTo(2);
  }
}
