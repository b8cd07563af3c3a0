/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lincheck;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@link TwoVersionsLincheckTest} must be equivalent to. */
public class TwoVersionsMap {
  private static final int ALONE = -1;

  private final Map<Integer, Integer> committed = new HashMap<>();
  private final Map<Integer, Prepared> prepared = new HashMap<>();
  private final List<@Nullable Boolean> verdicts = new ArrayList<>();

  private record Prepared(@Nullable Integer value, int group) {}

  public TwoVersionsMap() {
    for (int i = 0; i < TwoVersionsLincheckTest.GROUPS; i++) {
      verdicts.add(null);
    }
  }

  public @Nullable Integer get(int key) {
    return committed.get(key);
  }

  public @Nullable Integer readForWrite(int key) {
    Prepared version = prepared.get(key);
    return version == null ? committed.get(key) : version.value;
  }

  public String put(int key, int value) {
    if (prepared.containsKey(key)) {
      return "IN_PROGRESS";
    }
    return committed.put(key, value) == null ? "INSERTED" : "REPLACED";
  }

  public String insert(int key, int value) {
    return committed.putIfAbsent(key, value) == null ? "INSERTED" : "KEPT_EXISTING";
  }

  public String replace(int key, int value) {
    return committed.containsKey(key) ? put(key, value) : "NOT_PRESENT";
  }

  public String erase(int key) {
    if (prepared.containsKey(key)) {
      return "IN_PROGRESS";
    }
    return committed.remove(key) == null ? "NOT_PRESENT" : "ERASED";
  }

  public String prepare(int key, int value) {
    return prepared.putIfAbsent(key, new Prepared(value, ALONE)) == null
        ? "PREPARED"
        : "IN_PROGRESS";
  }

  public String prepareInGroup(int key, int value, int group) {
    if (verdicts.get(group) != null) {
      return "GROUP_ENDED";
    }
    Prepared version = new Prepared(value == 1 ? null : value, group);
    return prepared.putIfAbsent(key, version) == null ? "PREPARED" : "IN_PROGRESS";
  }

  public boolean commit(int key) {
    return decide(key, true);
  }

  public boolean abort(int key) {
    return decide(key, false);
  }

  private boolean decide(int key, boolean commits) {
    Prepared version = prepared.get(key);
    if (version == null || version.group != ALONE) {
      return false;
    }
    end(key, version, commits);
    return true;
  }

  private void end(int key, Prepared version, boolean commits) {
    prepared.remove(key);
    if (commits && version.value == null) {
      committed.remove(key);
    } else if (commits) {
      committed.put(key, version.value);
    }
  }

  public String commitGroup(int group) {
    return endGroup(group, true);
  }

  public String abortGroup(int group) {
    return endGroup(group, false);
  }

  private String endGroup(int group, boolean commits) {
    if (verdicts.get(group) == null) {
      verdicts.set(group, commits);
      for (Integer key : List.copyOf(prepared.keySet())) {
        Prepared version = prepared.get(key);
        if (version != null && version.group == group) {
          end(key, version, commits);
        }
      }
    }
    return Boolean.valueOf(commits).equals(verdicts.get(group)) ? "OK" : "STALE";
  }
}
