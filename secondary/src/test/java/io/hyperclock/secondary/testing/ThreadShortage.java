/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import org.jspecify.annotations.Nullable;

/**
 * Makes threads fail to be made, as in a process that has too many: those that the thread which
 * opened this would make, and those that threads made by it since would make.
 */
public final class ThreadShortage implements AutoCloseable {
  private static final InheritableThreadLocal<@Nullable ThreadShortage> MAKERS =
      new InheritableThreadLocal<>() {
        @Override
        protected @Nullable ThreadShortage childValue(@Nullable ThreadShortage shortage) {
          if (shortage != null) {
            shortage.refuse(Thread.currentThread().getName());
          }
          return shortage;
        }
      };

  private volatile @Nullable String makers;

  private ThreadShortage() {}

  /** There are threads enough until {@link #begin}. */
  public static ThreadShortage open() {
    ThreadShortage shortage = new ThreadShortage();
    MAKERS.set(shortage);
    return shortage;
  }

  /** From now on threads fail if the name of the one that makes them contains {@code makers}. */
  public void begin(String makers) {
    this.makers = makers;
  }

  /** There are threads enough again. */
  public void end() {
    makers = null;
  }

  private void refuse(String maker) {
    String refused = makers;
    if (refused != null && maker.contains(refused)) {
      throw new OutOfMemoryError("unable to create native thread, on purpose");
    }
  }

  @Override
  public void close() {
    end();
    MAKERS.remove();
  }
}
