/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.drops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.entry.ReferenceMurmur3;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Opens, drops and forgets files without a cache. The seed is that of system property {@code
 * hyperclock.test.seed}, random if not given.
 */
final class FileKeysTest {
  private static final int TURN = 100;

  private final long seed =
      Long.getLong("hyperclock.test.seed", ThreadLocalRandom.current().nextLong(1L << 32));

  /** Two hands that stand where a test puts them. */
  private static final class TestHands implements DroppedFiles.Hands {
    private final long[] passed = new long[2];
    private int looks;

    @Override
    public long[] passed() {
      looks++;
      return passed.clone();
    }

    @Override
    public long turn(int hand) {
      return TURN;
    }

    void goRound() {
      passed[0] += TURN;
      passed[1] += TURN;
    }
  }

  private final TestHands hands = new TestHands();
  private final DroppedFiles files = new DroppedFiles();

  FileKeysTest() {
    files.begin(hands);
  }

  /** Drops so many other files that the hands have been looked at. */
  private void dropOthers(String name, int count) {
    for (int i = 0; i < count; i++) {
      files.drop(FileKey.of(name, i));
    }
  }

  @Test
  void openGivesTheKeyOfTheIdentity() {
    FileKey key = FileKey.of(3, 4);
    assertThat(files.open(key)).isSameAs(key);
    assertThat(files.open("db/7.sst")).isEqualTo(FileKey.of("db/7.sst"));
    assertThat(files.open("db", 7)).isEqualTo(FileKey.of("db", 7));
    assertThat(new DroppedFiles().open("db", 7)).isEqualTo(files.open("db", 7));
  }

  @Test
  void dropLastsUntilTheFileIsOpenedAgain() {
    FileKey file = files.open("a");
    FileKey other = files.open("b");
    assertThat(files.isDropped(file.hi())).isFalse();
    assertThat(files.drop(file)).isTrue();
    assertThat(files.drop(file)).as("dropped already").isFalse();
    assertThat(files.isDropped(file.hi())).isTrue();
    assertThat(files.isDropped(other.hi())).isFalse();
    assertThat(files.open("b")).isEqualTo(other);
    assertThat(files.isDropped(file.hi())).isTrue();

    assertThat(files.open("a")).isEqualTo(file);
    assertThat(files.isDropped(file.hi())).isFalse();
    assertThat(files.drop(file)).as("opened again").isTrue();
    assertThat(files.isDropped(file.hi())).isTrue();
    assertThat(files.droppedFiles()).isEqualTo(2);
  }

  @Test
  void otherNumbersOfANameAreOtherFiles() {
    FileKey first = files.open("a", 1);
    files.drop(first);
    FileKey second = files.open("a", 2);
    assertThat(second.hi()).isNotEqualTo(first.hi());
    assertThat(files.isDropped(first.hi())).isTrue();
    assertThat(files.isDropped(second.hi())).isFalse();
  }

  @Test
  void onlyHighWordsOfDroppedFilesAreDropped() {
    FileKey file = FileKey.of("never opened");
    assertThat(files.drop(file)).isTrue();
    for (long other :
        new long[] {0, 1, -1, file.hi() + 1, ~file.hi(), file.hi() ^ 1L << 63, file.lo(0)}) {
      assertThat(files.isDropped(other)).as("%x", other).isFalse();
    }
  }

  /** Two files with one high word: a drop of one holds for both, opening any ends it. */
  @Test
  void equalHighWordsAreDroppedAndOpenedTogether() {
    long[] one = ReferenceMurmur3.identity(5, 0);
    long[] two = ReferenceMurmur3.identity(5, 1L << 60);
    FileKey first = files.open(FileKey.of(one[0], one[1]));
    FileKey second = files.open(FileKey.of(two[0], two[1]));
    assertThat(first).isNotEqualTo(second);
    assertThat(files.drop(first)).isTrue();
    assertThat(files.drop(second)).isFalse();
    assertThat(files.isDropped(second.hi())).isTrue();
    files.open(second);
    assertThat(files.isDropped(second.hi())).isFalse();
  }

  @Test
  void dropIsForgottenAfterAllHandsHaveGoneRound() {
    FileKey file = FileKey.of("a");
    files.drop(file);
    dropOthers("first look", 50);
    hands.goRound();
    dropOthers("second look: the turn before it began before the drop", 50);
    hands.passed[0] += TURN;
    hands.passed[1] += TURN - 1;
    dropOthers("third look: one hand is not round yet", 50);
    assertThat(files.isDropped(file.hi())).isTrue();
    hands.passed[1] += 1;
    dropOthers("fourth look", 50);
    assertThat(files.isDropped(file.hi())).isFalse();
    assertThat(files.drop(file)).as("again").isTrue();
    assertThat(files.isDropped(file.hi())).isTrue();
    assertThat(files.droppedFiles()).isEqualTo(202);
  }

  @Test
  void handsAreLookedAtWithOneDropForEightPlaces() {
    DropTable table = files.table;
    assertThat(table.size()).isEqualTo(64);
    for (int look = 1; look < 4; look++) {
      dropOthers("before look " + look, 7);
      assertThat(hands.looks).isEqualTo(look);
      dropOthers("look " + look, 1);
      assertThat(hands.looks).isEqualTo(look + 1);
    }
    assertThat(files.table).as("nothing was forgotten").isSameAs(table);
  }

  /** The hands go round twice, so that a copy is made while the table is neither small nor full. */
  @Test
  void neverMoreThanTheMostAreRememberedInTablesHalfFull() {
    for (int i = 0; i < 2 * DroppedFiles.MOST_DROPS; i++) {
      if (i == 100_000 || i == 700_000) {
        hands.goRound();
      }
      files.drop(FileKey.of(1, i));
      int words = files.table.words;
      if (words > DroppedFiles.MOST_DROPS || 2 * words > files.table.size()) {
        throw new AssertionError("words=" + words + ", places=" + files.table.size());
      }
    }
  }

  @Test
  void openWaitsForNoWriterUnlessTheFileWasDropped() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      FileKey file = FileKey.of("never dropped");
      synchronized (files) {
        assertThat(pool.submit(() -> files.open(file)).get(60, TimeUnit.SECONDS)).isSameAs(file);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void longLifeTakesLittleMemory() {
    for (int i = 0; i < 1_000_000; i++) {
      files.drop(FileKey.of(1, i));
      if (i % 1_000 == 0) {
        hands.goRound();
      }
      if (i % 10_000 == 9_999 && !files.isDropped(FileKey.of(1, i - 900).hi())) {
        throw new AssertionError("forgotten too early: " + (i - 900));
      }
    }
    assertThat(files.table.size()).isBetween(64, 32_768);
    assertThat(files.droppedFiles()).isEqualTo(1_000_000);
  }

  @Test
  void oldestAreForgottenWhereHandsStandStill() {
    int drops = DroppedFiles.MOST_DROPS * 3;
    for (int i = 0; i < drops; i++) {
      files.drop(FileKey.of(1, i));
    }
    int remembered = 0;
    for (int i = 0; i < drops; i++) {
      boolean dropped = files.isDropped(FileKey.of(1, i).hi());
      remembered += dropped ? 1 : 0;
      if (!dropped && i > drops - DroppedFiles.MOST_DROPS / 2) {
        throw new AssertionError("one of the newest is forgotten: " + i);
      }
    }
    assertThat(remembered).isBetween(DroppedFiles.MOST_DROPS / 2, DroppedFiles.MOST_DROPS);
    assertThat(files.table.size()).isLessThanOrEqualTo(4 * DroppedFiles.MOST_DROPS);
  }

  @Test
  void openingAndDroppingInTurnTakesNoMemory() {
    List<FileKey> keys = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      keys.add(FileKey.of("a", i));
    }
    for (int i = 0; i < 100_000; i++) {
      files.drop(files.open(keys.get(i % 20)));
    }
    assertThat(files.table.size()).isEqualTo(64);
    assertThat(files.droppedFiles()).isEqualTo(100_000);
  }

  /** Whether a file is dropped, checked against a set over a random life. */
  @Test
  void agreesWithASet() {
    SplittableRandom random = new SplittableRandom(seed);
    Set<Integer> dropped = new HashSet<>();
    for (int i = 0; i < 200_000; i++) {
      int number = random.nextInt(5_000);
      FileKey file = FileKey.of(9, number);
      if (random.nextInt(3) > 0) {
        assertThat(files.drop(file)).as("seed=%d", seed).isEqualTo(dropped.add(number));
      } else {
        files.open(file);
        dropped.remove(number);
      }
      int other = random.nextInt(5_000);
      if (files.isDropped(FileKey.of(9, other).hi()) != dropped.contains(other)) {
        throw new AssertionError("seed=" + seed + ", step=" + i + ", file=" + other);
      }
    }
  }

  @Test
  void questionsAllocateNothing() {
    dropOthers("a", 1_000);
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] least = {Long.MAX_VALUE, 0};
    for (int round = 0; round < 20; round++) {
      long before = thread.getCurrentThreadAllocatedBytes();
      for (long hi = 0; hi < 10_000; hi++) {
        least[1] += files.isDropped(hi * 0x9E3779B97F4A7C15L) ? 1 : 0;
      }
      least[0] = Math.min(least[0], thread.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least[1]).isZero();
    assertThat(least[0]).isLessThan(1_000);
  }

  @Test
  void nullsAreRefused() {
    assertThatThrownBy(() -> files.open((FileKey) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("file must not be null");
    assertThatThrownBy(() -> files.drop(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("file must not be null");
    assertThatThrownBy(() -> files.open((String) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name must not be null");
    assertThatThrownBy(() -> files.dropAll(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("files must not be null");
    assertThatThrownBy(() -> files.dropAll(Collections.singletonList(null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("file must not be null");
    assertThat(files.droppedFiles()).isZero();
  }

  /**
   * Each thread drops and opens files of its own while the table grows, shrinks and forgets: what
   * it did last counts, and what no thread dropped is never dropped.
   */
  @Test
  void threadsSeeTheirOwnDropsAtOnce() throws Exception {
    int threads = 4;
    DroppedFiles shared = new DroppedFiles();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Void>> ends = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        ends.add(pool.submit(dropper(shared, thread)));
      }
      for (Future<Void> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private Callable<Void> dropper(FileKeys shared, int thread) {
    SplittableRandom random = new SplittableRandom(seed + thread);
    FileKey never = FileKey.of("never dropped", thread);
    return () -> {
      for (int i = 0; i < 20_000; i++) {
        FileKey file = FileKey.of(thread, random.nextInt(3_000));
        shared.drop(file);
        boolean dropped = shared.isDropped(file.hi());
        if (random.nextInt(3) == 0) {
          shared.open(file);
          dropped &= !shared.isDropped(file.hi());
        }
        if (!dropped || shared.isDropped(never.hi())) {
          throw new AssertionError("seed=" + seed + ", thread=" + thread + ", step=" + i);
        }
      }
      return null;
    };
  }
}
