/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Puts and erases by one thread, and how many changes a device had seen when each was done. */
final class Script {
  /** {@code certain}: whether it takes away what was before. */
  private record Step(int key, int version, int changesAtEnd, boolean certain) {}

  private final int keys;
  private final List<Step> steps = new ArrayList<>();
  private int lastVersion;

  Script(int keys) {
    this.keys = keys;
  }

  int keys() {
    return keys;
  }

  int put(DiskSecondaryCache tier, MemoryDevice device, int key, int sizeBytes) {
    int version = ++lastVersion;
    Rig.put(tier, key, version, sizeBytes);
    steps.add(new Step(key, version, device.changed(), true));
    return version;
  }

  void erase(DiskSecondaryCache tier, MemoryDevice device, int key) {
    Rig.erase(tier, key);
    steps.add(new Step(key, Rig.NONE, device.changed(), true));
  }

  /** How many steps there were. */
  int done() {
    return steps.size();
  }

  /** Steps from {@code first} on may turn out to have had no effect. */
  void doubt(int first) {
    for (int i = first; i < steps.size(); i++) {
      Step step = steps.get(i);
      steps.set(i, new Step(step.key, step.version, step.changesAtEnd, false));
    }
  }

  /** One of the two at random, seldom an erase. */
  void random(DiskSecondaryCache tier, MemoryDevice device, Random random, int largest) {
    int key = random.nextInt(keys);
    if (random.nextInt(6) == 0) {
      erase(tier, device, key);
    } else {
      put(tier, device, key, 12 + random.nextInt(largest - 12));
    }
  }

  /**
   * Looks every key up, in both ways, where the device had seen {@code changes} when it stopped: a
   * value must be of the last step of its key that was done by then, or of a later one.
   *
   * @return keys that had a value
   */
  int check(DiskSecondaryCache tier, int changes, String description) {
    int hits = 0;
    for (int key = 0; key < keys; key++) {
      int version = Rig.version(key, Rig.find(tier, key));
      int again = Rig.versionNow(tier, key);
      if (version != Rig.NONE || again != Rig.NONE) {
        hits++;
        List<Integer> allowed = allowed(key, changes);
        assertThat(allowed)
            .as("%s, key=%d, changes=%d", description, key, changes)
            .contains(version, again);
      }
    }
    return hits;
  }

  /** The same when all is done. */
  int check(DiskSecondaryCache tier, String description) {
    return check(tier, Integer.MAX_VALUE, description);
  }

  private List<Integer> allowed(int key, int changes) {
    List<Integer> versions = new ArrayList<>(List.of(Rig.NONE));
    for (Step step : steps) {
      if (step.key == key) {
        if (step.certain && step.changesAtEnd <= changes) {
          versions.clear();
          versions.add(Rig.NONE);
        }
        versions.add(step.version);
      }
    }
    return versions;
  }
}
