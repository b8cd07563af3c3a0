/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged under one name, from now on until this is closed; nothing of it is printed. */
public final class LogLines implements AutoCloseable {
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          records.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Listens. */
  public LogLines(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.ALL);
  }

  /** Level and text of each line that has the words. */
  public List<String> with(String words) {
    return records.stream()
        .map(line -> line.getLevel() + " " + line.getMessage())
        .filter(line -> line.contains(words))
        .toList();
  }

  /** The exceptions of those lines. */
  public List<Throwable> causesWith(String words) {
    return records.stream()
        .filter(line -> line.getMessage().contains(words))
        .map(LogRecord::getThrown)
        .toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }
}
