/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.drops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DropTableTest {
  /** Words whose drops have these numbers, in a table that has room for them. */
  private static DropTable table(int words) {
    DropTable table = new DropTable(words);
    for (long word = 1; word <= words; word++) {
      table.put(word, word);
    }
    return table;
  }

  private static long[] held(DropTable table) {
    return LongStream.rangeClosed(1, 100).filter(table::holds).toArray();
  }

  @Test
  void aTableHasFourPlacesForEachWordThatItIsMadeForOrMore() {
    assertThat(new DropTable(0).size()).isEqualTo(64);
    assertThat(new DropTable(16).size()).isEqualTo(64);
    assertThat(new DropTable(17).size()).isEqualTo(128);
    assertThat(new DropTable(1 << 20).size()).isEqualTo(1 << 22);
  }

  @Test
  void aTableIsFullWhenHalfOfItsPlacesAreTaken() {
    DropTable table = new DropTable(0);
    for (long word = 1; word < 32; word++) {
      table.put(word, 1);
    }
    assertThat(table.isFull()).isFalse();
    table.put(32, 1);
    assertThat(table.isFull()).isTrue();
  }

  @Test
  void aWordThatIsPutAgainTakesNoOtherPlace() {
    DropTable table = table(32);
    for (long word = 1; word <= 32; word++) {
      table.put(word, 100 + word);
    }
    assertThat(table.words).isEqualTo(32);
    assertThat(held(table.without(101))).hasSize(31).doesNotContain(1);
  }

  @Test
  void aRemovedWordIsNotDroppedAndItsPlaceStaysTaken() {
    DropTable table = table(32);
    for (long word = 1; word <= 32; word++) {
      table.remove(word);
      assertThat(held(table)).hasSize(32 - (int) word).doesNotContain(word);
    }
    assertThat(table.words).isEqualTo(32);
  }

  /** Another writer may have taken it out of the table meanwhile. */
  @Test
  void removingAWordThatIsNotThereChangesNothing() {
    DropTable table = table(16);
    for (long word = 17; word <= 100; word++) {
      table.remove(word);
    }
    assertThat(held(table)).hasSize(16);
    assertThat(table.words).isEqualTo(16);
  }

  @Test
  void aCopyLacksWhatWasRemovedAndTheDropsUpToTheLastForgotten() {
    DropTable table = table(10);
    table.remove(7);
    DropTable copy = table.without(3);
    assertThat(held(copy)).containsExactly(4, 5, 6, 8, 9, 10);
    assertThat(copy.words).isEqualTo(6);
    assertThat(held(table)).as("the table itself").hasSize(9);
  }

  @Test
  void aCopyIsMadeForTheWordsThatItKeeps() {
    DropTable table = table(32);
    assertThat(table.without(0).size()).isEqualTo(128);
    assertThat(table.without(15).size()).as("17 words").isEqualTo(128);
    assertThat(table.without(16).size()).as("16 words").isEqualTo(64);
  }
}
