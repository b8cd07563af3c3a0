/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a trace is written, compressed by gzip or not. */
public enum TraceFormat {
  /** Little-endian unsigned 32-bit numbers: requests, distinct keys, then one key a request. */
  BIN("bin"),
  /** Lines {@code start-block count ignored request-number}: a request for each block. */
  ARC("arc|lis"),
  /** A number a line; lines that start with {@code *} are not requests. */
  LIRS("lirs|trc"),
  /** A key a line, any text, perhaps with a size behind a comma or spaces. */
  TEXT("txt|text|trace");

  private final String extensions;

  TraceFormat(String extensions) {
    this.extensions = extensions;
  }

  /**
   * The format that the name of a file tells.
   *
   * @param fileName name of the file
   * @return the format, if the name is one of a trace
   */
  static Optional<TraceFormat> ofName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(format -> name.matches(".*\\.(" + format.extensions + ")(\\.gz)?"))
        .findFirst();
  }

  /**
   * The format that the start of a file looks like.
   *
   * @param head first bytes
   * @param whole whether they are all there are
   * @return the best guess
   */
  static TraceFormat ofContent(byte[] head, boolean whole) {
    for (byte b : head) {
      if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\r') {
        return BIN;
      }
    }
    String text = new String(head, StandardCharsets.ISO_8859_1);
    int end = whole ? text.length() : Math.max(0, text.lastIndexOf('\n'));
    List<String> lines =
        text.substring(0, end).lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    if (lines.stream().allMatch(line -> line.matches("-?\\d+(\\s+-?\\d+){3}"))) {
      return ARC;
    }
    return lines.stream().allMatch(line -> line.matches("-?\\d+|\\*.*")) ? LIRS : TEXT;
  }
}
