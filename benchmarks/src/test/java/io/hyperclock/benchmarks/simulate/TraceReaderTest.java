/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceReaderTest {
  @TempDir private Path directory;

  private static byte[] words(int... words) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(words).forEach(buffer::putInt);
    return buffer.array();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(directory.resolve(name), bytes);
  }

  private static int[] keys(Trace trace) {
    return IntStream.range(0, trace.requests()).map(trace::key).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"some.bin", "some.bin.gz", "some", "some.data.gz"})
  void readsWords(String name) throws IOException {
    byte[] words = words(5, 3, 0, 1, 0, 2, 1);
    Trace trace = TraceReader.read(file(name, name.endsWith(".gz") ? gzip(words) : words), null);
    assertThat(trace.name()).isEqualTo("some");
    assertThat(keys(trace)).containsExactly(0, 1, 0, 2, 1);
    assertThat(trace.distinct()).isEqualTo(3);
    assertThat(trace.weighted()).isFalse();
  }

  @Test
  void numbersKeysByFirstAppearance() throws IOException {
    Trace trace = TraceReader.read(file("some.bin", words(4, 4, 3, 1, 3, 0)), null);
    assertThat(keys(trace)).containsExactly(0, 1, 0, 2);
    assertThat(trace.distinct()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p.lis   | 100 3 0 0;101 1 0 1;100 2 0 2 | 0,1,2,1,0,1 | 3",
        "p       | 100 3 0 0;101 1 0 1           | 0,1,2,1     | 3",
        "p.trc   | 7;*;8;7;* end;9               | 0,1,0,2     | 3",
        "p       | 7;*;8;;7                      | 0,1,0       | 2",
        "p.txt   | 7;*;8;*                       | 0,1,2,1     | 3",
        "p       | a;b;a b;a                     | 0,1,2,0     | 3",
        "p       | x,y;x;x,y                     | 0,1,0       | 2",
        "p       | 1000000000000;-;1000000000000 | 0,1,0       | 2"
      })
  void readsLines(String name, String lines, String keys, int distinct) throws IOException {
    byte[] text = lines.replace(';', '\n').getBytes(java.nio.charset.StandardCharsets.UTF_8);
    int[] expected = Arrays.stream(keys.split(",")).mapToInt(Integer::parseInt).toArray();
    for (byte[] bytes : new byte[][] {text, gzip(text)}) {
      Trace trace = TraceReader.read(file(name, bytes), null);
      assertThat(keys(trace)).containsExactly(expected);
      assertThat(trace.distinct()).isEqualTo(distinct);
      assertThat(trace.weighted()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,10\nb,5\na,20\n", "a 10\nb\t5\na   20\n", "a, 10\r\nb , 5\r\na,20"})
  void readsSizes(String text) throws IOException {
    Trace trace = TraceReader.read(file("sized", text.getBytes("UTF-8")), null);
    assertThat(keys(trace)).containsExactly(0, 1, 0);
    assertThat(IntStream.range(0, 3).map(trace::size)).containsExactly(10, 5, 20);
    assertThat(trace.totalSize()).isEqualTo(15);
    assertThat(trace.unweighted().totalSize()).isEqualTo(2);
    assertThat(trace.unweighted().size(0)).isEqualTo(1);
  }

  @Test
  void obeysTheFormatGiven() throws IOException {
    Path file = file("some.txt", "7\n*\n8\n".getBytes("UTF-8"));
    assertThat(keys(TraceReader.read(file, TraceFormat.LIRS))).containsExactly(0, 1);
    assertThat(keys(TraceReader.read(file, null))).containsExactly(0, 1, 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3 2 0 1      | trace must have as many requests as it says: found=2, requests=3, trace=",
        "2 2 0 1 0    | trace must end after its requests: requests=2, trace=",
        "2 2 0 2      | keys must be less than their count: key=2, distinct=2, trace=",
        "2 2 0 -1     | keys must be less than their count: key=4294967295, distinct=2, trace=",
        "0 0          | requests must be in [1, 268435456]: requests=0, trace=",
        "-5 1 0       | requests must be in [1, 268435456]: requests=4294967291, trace=",
        "2 3 0 1      | distinct keys must be in [1, requests]: distinct=3, requests=2, trace=",
        "2            | trace must start with two counts: bytes=4, trace=",
      })
  void refusesBadWords(String values, String message) throws IOException {
    byte[] words = words(Arrays.stream(values.split(" ")).mapToInt(Integer::parseInt).toArray());
    assertThatThrownBy(() -> TraceReader.read(file("bad.bin.gz", gzip(words)), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bad.arc | 1 2 3                | line must be four numbers >= 0: line=1, trace=",
        "bad.arc | 1 2 0 0;-1 2 0 0     | line must be four numbers >= 0: line=2, trace=",
        "bad.arc | 1 0 0 0              | block count must be >= 1 and leave at most 268435456"
            + " requests: count=0, line=1, trace=",
        "bad.arc | 1 99999999999 0 0    | block count must be >= 1 and leave at most 268435456"
            + " requests: count=99999999999, line=1, trace=",
        "bad     | 1 2 0 0;1 -2 0 0     | line must be four numbers >= 0: line=2, trace=",
        "bad.trc | 1;x                  | line must be a number >= 0: line=2, trace=",
        "bad     | 1;-2                 | line must be a number >= 0: line=2, trace=",
        "bad.trc | 99999999999999999999 | line must be a number >= 0: line=1, trace=",
        "bad.trc | *;*                  | trace must have requests: trace=",
        "bad.txt | a,1;b                | every line must have a size as the first has: line=2,"
            + " trace=",
        "bad.txt | a,-1                 | size must be in [0, 2147483647]: size=-1, line=1, trace=",
        "bad.txt | a 2147483648         | size must be in [0, 2147483647]: size=2147483648, line=1,"
            + " trace="
      })
  void refusesBadLines(String name, String lines, String message) throws IOException {
    byte[] text = lines.replace(';', '\n').getBytes(java.nio.charset.StandardCharsets.UTF_8);
    assertThatThrownBy(() -> TraceReader.read(file(name, text), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"e.bin", "e.arc", "e.trc", "e.txt", "e", "e.bin.gz"})
  void refusesEmptyFiles(String name) throws IOException {
    assertThatThrownBy(() -> TraceReader.read(file(name, new byte[0]), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("trace must (not be empty|have requests): trace=.*");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 12, 25})
  void refusesTruncatedGzip(int length) throws IOException {
    byte[] whole = gzip(words(5, 5, 0, 1, 2, 3, 4));
    assertThat(whole.length).isGreaterThan(length);
    assertThatThrownBy(
            () -> TraceReader.read(file("cut.bin.gz", Arrays.copyOf(whole, length)), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("trace must be complete gzip data: trace=");
  }

  @Test
  void refusesMissingFiles() {
    assertThatThrownBy(() -> TraceReader.read(directory.resolve("none.bin"), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("trace must exist: trace=");
  }
}
