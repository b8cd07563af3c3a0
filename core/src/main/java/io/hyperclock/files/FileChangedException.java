/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import java.io.IOException;

/**
 * The file behind a source is not the one that was opened. Blocks that were read before are right
 * and are found as before; nothing of the changed file was cached. Open it again under another
 * identity.
 */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by sources.
   *
   * @param message what was expected and what was found
   */
  public FileChangedException(String message) {
    super(message);
  }
}
