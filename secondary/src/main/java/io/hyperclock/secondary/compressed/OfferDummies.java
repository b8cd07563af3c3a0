/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import io.hyperclock.secondary.internal.record.Words;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Dummies: remembers which keys were offered lately, in eight bytes each.
 *
 * <p>A fixed table of fingerprints. A key has one place, and takes it from the key that had it
 * before; so a key is forgotten after about as many others as there are places. Two keys with one
 * fingerprint, one in 2<sup>64</sup>, only make a value be stored one offer too early. The same
 * holds for races.
 */
final class OfferDummies {
  private final AtomicLongArray places;
  private final long seed;

  /** Room for at least so many keys. */
  OfferDummies(long keys, long seed) {
    this.places = new AtomicLongArray(places(keys));
    this.seed = seed;
  }

  private static int places(long keys) {
    int bits = 64 - Long.numberOfLeadingZeros(Math.max(64, keys) - 1);
    return 1 << Math.min(bits, 28);
  }

  /** Memory of a table for so many keys. */
  static long bytes(long keys) {
    return (long) places(keys) * Long.BYTES;
  }

  long bytes() {
    return (long) places.length() * Long.BYTES;
  }

  /** Leaves a dummy. */
  void add(long hi, long lo) {
    long fingerprint = fingerprint(hi, lo);
    places.set(place(fingerprint), fingerprint);
  }

  /** Takes the dummy away; false if there is none. */
  boolean remove(long hi, long lo) {
    long fingerprint = fingerprint(hi, lo);
    int place = place(fingerprint);
    if (places.get(place) != fingerprint) {
      return false;
    }
    places.set(place, 0);
    return true;
  }

  private int place(long fingerprint) {
    return (int) (fingerprint >>> 32) & places.length() - 1;
  }

  private long fingerprint(long hi, long lo) {
    long hash = Words.hash(seed, hi, lo);
    return hash == 0 ? 1 : hash;
  }
}
