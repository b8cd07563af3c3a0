/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

/**
 * What is known of the one order of all accesses of mode TOTAL, in one run of a {@link WeakMemory}
 * exploration: as much of it as follows from program order, from what happened before, and from the
 * values of each location. A run in which it would have a circle does not exist.
 *
 * <p>These are the rules of RC11 for accesses without fences (Lahav and others, "Repairing
 * sequential consistency in C/C++11", 2017), which hold on Power too: what happened before counts
 * only where both ends of the way are steps of program order, or where both accesses are of one
 * location.
 */
final class TotalOrder {
  private final int[] locations;
  private final int[] places;
  private final boolean[] writes;
  private final long[] later;
  private long made;

  TotalOrder(int accesses) {
    if (accesses > Long.SIZE) {
      throw new IllegalArgumentException("too many accesses: " + accesses);
    }
    locations = new int[accesses];
    places = new int[accesses];
    writes = new boolean[accesses];
    later = new long[accesses];
  }

  TotalOrder(TotalOrder from) {
    locations = from.locations.clone();
    places = from.places.clone();
    writes = from.writes.clone();
    later = from.later.clone();
    made = from.made;
  }

  /**
   * Adds an access.
   *
   * @param access its number
   * @param place the place of the value that it read, or wrote
   * @param passed what its thread knew before it
   * @param before what its thread knows with it
   * @return whether there can be such an order
   */
  boolean add(int access, int location, int place, boolean write, long passed, long before) {
    long earlier = passed;
    long reached = 0;
    for (long rest = made; rest != 0; rest &= rest - 1) {
      int other = Long.numberOfTrailingZeros(rest);
      long bit = 1L << other;
      if (locations[other] != location) {
        continue;
      }
      if (writes[other] && places[other] > place) {
        reached |= later[other] | bit;
      } else if ((before & bit) != 0 || write && places[other] < place) {
        earlier |= bit;
      }
    }
    if ((reached & earlier) != 0) {
      return false;
    }
    locations[access] = location;
    places[access] = place;
    writes[access] = write;
    later[access] = reached;
    long news = reached | 1L << access;
    for (long rest = made; rest != 0; rest &= rest - 1) {
      int other = Long.numberOfTrailingZeros(rest);
      if (((later[other] | 1L << other) & earlier) != 0) {
        later[other] |= news;
      }
    }
    made |= 1L << access;
    return true;
  }

  /** A value has been put at a place of a location. */
  void shift(int location, int place) {
    for (int i = 0; i < places.length; i++) {
      if ((made & 1L << i) != 0 && locations[i] == location && places[i] >= place) {
        places[i]++;
      }
    }
  }

  /** The first values of a location can no longer be seen by any thread. */
  void drop(int location, int count) {
    for (int i = 0; i < places.length; i++) {
      if ((made & 1L << i) != 0 && locations[i] == location) {
        places[i] = Math.max(-1, places[i] - count);
      }
    }
  }

  void describe(StringBuilder text) {
    describe(made, text);
    for (int i = 0; i < places.length; i++) {
      if ((made & 1L << i) != 0) {
        text.append((char) (places[i] + 1)).append(writes[i] ? 'w' : 'r');
        describe(later[i], text);
      }
    }
  }

  static void describe(long bits, StringBuilder text) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      text.append((char) (bits >>> shift & 0xff));
    }
  }
}
