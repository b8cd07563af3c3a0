/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

/**
 * Something about a cache's settings or use that costs capacity or speed, and what would mend it.
 *
 * <pre>{@code
 * for (Problem problem : cache.monitor().problems()) {
 *   log(problem.severity() + ": " + problem.message());
 * }
 * }</pre>
 *
 * @param severity how much it costs
 * @param message one sentence for a log line, with the numbers
 * @param recommendedEntryCharge the {@code estimatedEntryCharge} to set, in bytes; 0 if that would
 *     not mend it, and always of a cache that sizes itself
 */
public record Problem(Severity severity, String message, long recommendedEntryCharge) {

  /** How much a problem costs. */
  public enum Severity {
    /** Memory could be used better; nothing is lost. */
    INFO,
    /** A noticeable share of capacity or speed is lost. */
    WARN,
    /** A fifth of the capacity or more cannot be used. */
    ERROR
  }
}
