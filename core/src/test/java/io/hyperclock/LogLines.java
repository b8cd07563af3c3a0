/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged under a name, from now on until this is closed; nothing of it is printed. */
public final class LogLines implements AutoCloseable {
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final String wanted;
  private volatile boolean isBroken;

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getMessage().contains(wanted)) {
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

  /** Listens to a logger. */
  public LogLines(String name) {
    this(name, "");
  }

  /** Listens to a logger that other tests may use too: to lines with these words. */
  public LogLines(String name, String wanted) {
    this.wanted = wanted;
    logger = Logger.getLogger(name);
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.ALL);
  }

  /** From now on the log throws at each of the lines, once that is here. */
  public void breakLog() {
    isBroken = true;
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
