/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads one trace from a file into memory. */
public final class TraceReader {
  /** Most requests that a trace may have. */
  public static final int MAX_REQUESTS = 1 << 28;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int HEAD_BYTES = 4096;
  private static final Pattern SIZED = Pattern.compile("(.*?\\S)(?:\\s*,\\s*|\\s+)(-?\\d+)");

  private final Path file;
  private final KeyNumbers numbers = new KeyNumbers();
  private final Map<String, Integer> names = new HashMap<>();
  private final IntList keys = new IntList();
  private @Nullable IntList sizes;

  private TraceReader(Path file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @param file where it is; what comes before the first dot of its name is the name of the trace
   * @param format how it is written, or null to find out from its name and its first bytes
   * @return the trace
   * @throws IllegalArgumentException if there is no such file or it is not a trace
   */
  public static Trace read(Path file, @Nullable TraceFormat format) {
    try (InputStream in = open(file)) {
      return new TraceReader(file).read(in, format == null ? detect(file, in) : format);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("trace must exist: trace=" + file, e);
    } catch (EOFException | ZipException e) {
      throw new IllegalArgumentException("trace must be complete gzip data: trace=" + file, e);
    } catch (IOException e) {
      throw new IllegalArgumentException("trace must be readable: trace=" + file, e);
    }
  }

  /**
   * Whether the name of a file is one of a trace.
   *
   * @param file any file
   * @return true if its extension is known
   */
  public static boolean isTrace(Path file) {
    return TraceFormat.ofName(file.getFileName().toString()).isPresent();
  }

  private static InputStream open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    try {
      in.mark(2);
      boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
      in.reset();
      return gzip ? new BufferedInputStream(new GZIPInputStream(in, BUFFER_BYTES)) : in;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private static TraceFormat detect(Path file, InputStream in) throws IOException {
    in.mark(HEAD_BYTES);
    byte[] head = in.readNBytes(HEAD_BYTES);
    in.reset();
    return TraceFormat.ofName(file.getFileName().toString())
        .orElseGet(() -> TraceFormat.ofContent(head, head.length < HEAD_BYTES));
  }

  private Trace read(InputStream in, TraceFormat format) throws IOException {
    if (format == TraceFormat.BIN) {
      readBin(in);
    } else {
      readLines(in, format);
    }
    require(keys.size() > 0, "trace must have requests", "");
    String name = file.getFileName().toString().replaceAll("(?<=.)\\..*", "");
    int distinct = Math.max(numbers.size(), names.size());
    return new Trace(name, keys.toArray(), distinct, sizes == null ? null : sizes.toArray());
  }

  private void readBin(InputStream in) throws IOException {
    byte[] header = in.readNBytes(8);
    require(header.length > 0, "trace must not be empty", "");
    require(header.length == 8, "trace must start with two counts", "bytes=" + header.length);
    ByteBuffer counts = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    long requests = Integer.toUnsignedLong(counts.getInt());
    long distinct = Integer.toUnsignedLong(counts.getInt());
    require(
        requests >= 1 && requests <= MAX_REQUESTS,
        "requests must be in [1, " + MAX_REQUESTS + "]",
        "requests=" + requests);
    require(
        distinct >= 1 && distinct <= requests,
        "distinct keys must be in [1, requests]",
        "distinct=" + distinct + ", requests=" + requests);
    byte[] chunk = new byte[BUFFER_BYTES];
    long left = 4 * requests;
    while (left > 0) {
      int length = in.readNBytes(chunk, 0, (int) Math.min(left, chunk.length));
      require(
          length == Math.min(left, chunk.length),
          "trace must have as many requests as it says",
          "found=" + (keys.size() + length / 4) + ", requests=" + requests);
      ByteBuffer words = ByteBuffer.wrap(chunk, 0, length).order(ByteOrder.LITTLE_ENDIAN);
      while (words.hasRemaining()) {
        long key = Integer.toUnsignedLong(words.getInt());
        require(
            key < distinct,
            "keys must be less than their count",
            "key=" + key + ", distinct=" + distinct);
        keys.add(numbers.of(key));
      }
      left -= length;
    }
    require(in.read() < 0, "trace must end after its requests", "requests=" + requests);
  }

  private void readLines(InputStream in, TraceFormat format) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1), BUFFER_BYTES);
    boolean first = true;
    long number = 0;
    for (String raw = reader.readLine(); raw != null; raw = reader.readLine()) {
      number++;
      String line = raw.strip();
      if (!line.isEmpty()) {
        switch (format) {
          case ARC -> addBlocks(line, number);
          case LIRS -> addNumber(line, number);
          default -> addText(line, first, number);
        }
        first = false;
      }
      require(
          keys.size() <= MAX_REQUESTS,
          "trace must have at most " + MAX_REQUESTS + " requests",
          "line=" + number);
    }
  }

  private void addBlocks(String line, long number) {
    String[] fields = line.split("\\s+");
    require(
        fields.length == 4 && Arrays.stream(fields).allMatch(TraceReader::isNumber),
        "line must be four numbers >= 0",
        "line=" + number);
    long start = Long.parseLong(fields[0]);
    long count = Long.parseLong(fields[1]);
    require(
        count >= 1 && count <= MAX_REQUESTS - keys.size(),
        "block count must be >= 1 and leave at most " + MAX_REQUESTS + " requests",
        "count=" + count + ", line=" + number);
    for (long block = start; block < start + count; block++) {
      keys.add(numbers.of(block));
    }
  }

  private void addNumber(String line, long number) {
    if (!line.startsWith("*")) {
      require(isNumber(line), "line must be a number >= 0", "line=" + number);
      keys.add(numbers.of(Long.parseLong(line)));
    }
  }

  private void addText(String line, boolean first, long number) {
    Matcher sized = SIZED.matcher(line);
    boolean matches = (first || sizes != null) && sized.matches();
    if (first && matches) {
      sizes = new IntList();
    }
    String key = line;
    if (sizes != null) {
      require(matches, "every line must have a size as the first has", "line=" + number);
      String size = sized.group(2);
      require(
          isNumber(size) && Long.parseLong(size) <= Integer.MAX_VALUE,
          "size must be in [0, " + Integer.MAX_VALUE + "]",
          "size=" + size + ", line=" + number);
      sizes.add(Integer.parseInt(size));
      key = sized.group(1);
    }
    Integer known = names.putIfAbsent(key, names.size());
    keys.add(known == null ? names.size() - 1 : known);
  }

  private static boolean isNumber(String text) {
    return text.matches("\\d{1,18}");
  }

  private void require(boolean valid, String rule, String detail) {
    if (!valid) {
      throw new IllegalArgumentException(
          rule + ": " + (detail.isEmpty() ? "" : detail + ", ") + "trace=" + file);
    }
  }
}
