/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

/** What a model run can find wrong with a cache. */
enum Defect {
  /** A read answered with a value of another key, or with one that was never inserted. */
  WRONG_VALUE,
  /** A value was freed or given away while somebody held it. */
  EARLY_FREE,
  /** A value was freed twice, or freed after somebody else had taken it over. */
  DOUBLE_FREE,
  /** A value is neither freed nor reachable. */
  LEAK,
  /** An entry came back after it was erased, replaced or seen to be gone. */
  STALE_ENTRY,
  /** A pinned entry was not found, or two entries shared a key that has one writer. */
  LOST_ENTRY,
  /** A visit of all entries missed a pinned one or saw one twice. */
  VISIT,
  /** Usage is not the sum of the charges. */
  USAGE_DRIFT,
  /** Pinned usage is not the sum of the charges of what is held. */
  PINNED_DRIFT,
  /** Standalone usage is not the sum of the charges of standalone entries. */
  STANDALONE_DRIFT,
  /** Occupancy is not the number of entries. */
  OCCUPANCY_DRIFT,
  /** A statistics counter disagrees with what was done. */
  COUNTER_DRIFT,
  /** An answer that the contract rules out. */
  CONTRACT,
  /** The invariants checker found something. */
  INVARIANT,
  /** An exception nobody expects. */
  CRASH,
  /** A thread made no progress. */
  HUNG
}
