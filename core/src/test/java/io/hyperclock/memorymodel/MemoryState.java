/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where a run of a {@link WeakMemory} exploration stands: all values ever stored, and threads. */
final class MemoryState {
  private static final int REGISTERS = 10;

  /** A value in the history of a location, with what its reader learns. */
  record Message(int value, View view, boolean update) {}

  /** One thread. */
  static final class ThreadState {
    int pc;
    final int[] registers;

    /** What it knows. */
    final View view;

    /** What it will know behind an acquire fence. */
    final View pending;

    /** What it knew at its last release fence. */
    final View fenced;

    ThreadState(int locations) {
      registers = new int[REGISTERS];
      view = new View(locations);
      pending = new View(locations);
      fenced = new View(locations);
    }

    ThreadState(ThreadState from) {
      pc = from.pc;
      registers = from.registers.clone();
      view = new View(from.view);
      pending = new View(from.pending);
      fenced = new View(from.fenced);
    }

    void end() {
      pc = Integer.MAX_VALUE;
      view.clear();
      pending.clear();
      fenced.clear();
    }

    boolean hasEnded() {
      return pc == Integer.MAX_VALUE;
    }
  }

  final List<List<Message>> memory = new ArrayList<>();
  final ThreadState[] threads;
  final TotalOrder total;

  MemoryState(int[] initial, int threads, int accesses) {
    for (int value : initial) {
      memory.add(new ArrayList<>(List.of(new Message(value, new View(initial.length), false))));
    }
    this.threads = new ThreadState[threads];
    Arrays.setAll(this.threads, t -> new ThreadState(initial.length));
    total = new TotalOrder(accesses);
  }

  MemoryState(MemoryState from) {
    for (List<Message> history : from.memory) {
      List<Message> copy = new ArrayList<>(history.size() + 1);
      history.forEach(m -> copy.add(new Message(m.value, new View(m.view), m.update)));
      memory.add(copy);
    }
    threads = new ThreadState[from.threads.length];
    Arrays.setAll(threads, t -> new ThreadState(from.threads[t]));
    total = new TotalOrder(from.total);
  }

  int last(int location) {
    List<Message> history = memory.get(location);
    return history.get(history.size() - 1).value;
  }

  /** Puts a value at a place of the history; everything known of later places moves up. */
  View insert(int location, int place, int value, boolean update, View learned) {
    View view = new View(learned);
    view.shift(location, place);
    view.oldest[location] = place;
    for (List<Message> history : memory) {
      history.forEach(m -> m.view.shift(location, place));
    }
    for (ThreadState t : threads) {
      t.view.shift(location, place);
      t.pending.shift(location, place);
      t.fenced.shift(location, place);
    }
    total.shift(location, place);
    memory.get(location).add(place, new Message(value, view, update));
    return view;
  }

  /** Forgets the values that no thread can see any more, which makes more states the same. */
  void forget() {
    for (int location = 0; location < memory.size(); location++) {
      List<Message> history = memory.get(location);
      int count = history.size() - 1;
      for (ThreadState t : threads) {
        if (!t.hasEnded()) {
          count = Math.min(count, t.view.oldest[location]);
        }
      }
      if (count > 0) {
        drop(location, count);
      }
      Message first = history.get(0);
      history.set(0, new Message(first.value, first.view, false));
    }
  }

  private void drop(int location, int count) {
    memory.get(location).subList(0, count).clear();
    for (List<Message> history : memory) {
      history.forEach(m -> m.view.drop(location, count));
    }
    for (ThreadState t : threads) {
      t.view.drop(location, count);
      t.pending.drop(location, count);
      t.fenced.drop(location, count);
    }
    total.drop(location, count);
  }

  /** The state as text: the same for two states from which the same runs are possible. */
  String fingerprint() {
    StringBuilder text = new StringBuilder();
    for (List<Message> history : memory) {
      text.append((char) history.size());
      for (Message m : history) {
        text.append((char) (m.value + 1)).append(m.update ? 'u' : 's');
        m.view.describe(text);
      }
    }
    for (ThreadState t : threads) {
      text.append((char) (t.hasEnded() ? 0 : t.pc + 1));
      for (int register : t.registers) {
        text.append((char) (register + 1));
      }
      t.view.describe(text);
      t.pending.describe(text);
      t.fenced.describe(text);
    }
    total.describe(text);
    return text.toString();
  }
}
