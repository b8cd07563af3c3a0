/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.util.function.Function;

/**
 * An operation on an object, and what it answers.
 *
 * @param name for messages
 * @param call the answer must have {@code equals}
 * @param <C> what it works on
 */
public record Operation<C>(String name, Function<C, Object> call) {
  @Override
  public String toString() {
    return name;
  }
}
