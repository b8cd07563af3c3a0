/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes as people write them: {@code 16m}, {@code 512k}, {@code 1g} or plain bytes. */
final class ByteSize implements ITypeConverter<Long> {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmg]?)b?");
  private static final long MAX_BYTES = 1L << 40;

  @Override
  public Long convert(String text) {
    Matcher matcher = SIZE.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException("size must be a number with k, m, g or nothing: " + text);
    }
    int shift =
        switch (matcher.group(2)) {
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          default -> 0;
        };
    long number = Long.parseLong(matcher.group(1));
    if (number < 1 || number > MAX_BYTES >> shift) {
      throw new TypeConversionException("size must be in [1, 1024g]: " + text);
    }
    return number << shift;
  }

  /**
   * Writes a size with the largest unit that keeps it whole.
   *
   * @param bytes at least 0
   * @return such as {@code 16 MiB}
   */
  static String format(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    while (unit < units.length - 1 && bytes >= 1024 && bytes % 1024 == 0) {
      bytes /= 1024;
      unit++;
    }
    return bytes + " " + units[unit];
  }
}
