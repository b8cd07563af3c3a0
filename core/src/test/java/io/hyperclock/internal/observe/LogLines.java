/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What is logged with some words in it, from now on until this is closed; nothing is printed. Lines
 * without the words are of threads of other tests.
 */
public final class LogLines implements AutoCloseable {
  public final List<LogRecord> records = new CopyOnWriteArrayList<>();

  /** Whether the log throws at each of the lines, once it is here. */
  boolean isBroken;

  private final Logger logger = Logger.getLogger("io.hyperclock");
  private final String words;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getMessage().contains(words)) {
            records.add(line);
            if (isBroken) {
              throw new IllegalStateException("no log");
            }
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Listens. */
  public LogLines(String words) {
    this.words = words;
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.WARNING);
  }

  /** Level and text of each line. */
  List<String> texts() {
    return records.stream().map(line -> line.getLevel() + " " + line.getMessage()).toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }
}
