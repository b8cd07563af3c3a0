/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.internal.slot.SlotStore;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Tells which words of an object and of all it refers to have changed, besides those of slots and
 * tags, and counts those on a line that another thread was the last to change. An object counts as
 * one line, an array as one for each 64 bytes. Counters of the JDK that stripe themselves are not
 * looked into, and a word that was changed back is not noticed. A line counts as another's until
 * its writer has been seen.
 */
final class SharedLines {
  private static final int LINE_BYTES = 64;

  /** One object or array: its words, and who changed each line last. */
  private static final class Block {
    final Object object;
    final List<Field> fields;
    long[] words;
    Object[] writers;
    Object onlyWriter;

    Block(Object object, List<Field> fields) {
      this.object = object;
      this.fields = fields;
      this.words = read();
      this.writers = new Object[line(words.length) + 1];
    }

    /** A line without a known writer is the thread's own only if it alone changes the block. */
    boolean isOfAnother(int line, Object thread) {
      onlyWriter = onlyWriter == null || onlyWriter == thread ? thread : this;
      return writers[line] == null ? onlyWriter != thread : writers[line] != thread;
    }

    int line(int word) {
      return object instanceof AtomicIntegerArray || object instanceof int[]
          ? word * Integer.BYTES / LINE_BYTES
          : fields.isEmpty() ? word * Long.BYTES / LINE_BYTES : 0;
    }

    long[] read() {
      if (object instanceof long[] longs) {
        return longs.clone();
      }
      if (object instanceof int[] ints) {
        return Arrays.stream(ints).asLongStream().toArray();
      }
      if (object instanceof AtomicLongArray array) {
        long[] read = new long[array.length()];
        Arrays.setAll(read, array::get);
        return read;
      }
      if (object instanceof AtomicIntegerArray array) {
        long[] read = new long[array.length()];
        Arrays.setAll(read, array::get);
        return read;
      }
      if (object instanceof AtomicBoolean flag) {
        return new long[] {flag.get() ? 1 : 0};
      }
      return fields.stream().mapToLong(this::read).toArray();
    }

    private long read(Field field) {
      try {
        Object value = field.get(object);
        return field.getType().isPrimitive() ? value.hashCode() : System.identityHashCode(value);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final Object root;
  private final Map<Object, Block> blocks = new IdentityHashMap<>();
  private final Map<String, Integer> counts = new TreeMap<>();

  /** Looks at all words as they are now. */
  SharedLines(Object root) {
    this.root = root;
    find();
  }

  /** Changes by which thread what, by the class that holds the line. */
  Map<String, Integer> counts() {
    return counts;
  }

  int total() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Forgets the counts, not who changed what. */
  void reset() {
    counts.clear();
  }

  /** A thread has done something: counts the lines it has taken over from another. */
  void changedBy(Object thread) {
    find();
    for (Block block : blocks.values()) {
      long[] now = block.read();
      int word = Arrays.mismatch(block.words, now);
      while (word >= 0 && word < now.length) {
        int line = block.line(word);
        if (block.isOfAnother(line, thread)) {
          counts.merge(
              block.object.getClass().getSimpleName() + " " + name(block), 1, Integer::sum);
        }
        block.writers[line] = thread;
        while (word < now.length && (block.line(word) == line || block.words[word] == now[word])) {
          word++;
        }
      }
      block.words = now;
    }
  }

  private final Map<Object, String> names = new IdentityHashMap<>();

  private String name(Block block) {
    return names.getOrDefault(block.object, "");
  }

  private void find() {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>();
    open.add(root);
    while (!open.isEmpty()) {
      Object object = open.poll();
      if (!seen.add(object)) {
        continue;
      }
      if (isWords(object)) {
        blocks.computeIfAbsent(object, o -> new Block(o, List.of()));
      } else if (object instanceof AtomicReferenceArray<?> array) {
        for (int i = 0; i < array.length(); i++) {
          add(array.get(i), object, open);
        }
      } else if (object.getClass().isArray()) {
        for (int i = 0; i < Array.getLength(object); i++) {
          add(Array.get(object, i), object, open);
        }
      } else {
        List<Field> fields = fields(object.getClass());
        List<Field> mutable =
            fields.stream().filter(field -> !Modifier.isFinal(field.getModifiers())).toList();
        if (!mutable.isEmpty()) {
          blocks.computeIfAbsent(object, o -> new Block(o, mutable));
        }
        for (Field field : fields) {
          if (!field.getType().isPrimitive()) {
            try {
              Object value = field.get(object);
              if (value != null) {
                names.putIfAbsent(value, object.getClass().getSimpleName() + "." + field.getName());
              }
              add(value, object, open);
            } catch (IllegalAccessException e) {
              throw new AssertionError(e);
            }
          }
        }
      }
    }
    blocks.keySet().retainAll(seen);
  }

  private static boolean isWords(Object object) {
    return object instanceof long[]
        || object instanceof int[]
        || object instanceof AtomicLongArray
        || object instanceof AtomicIntegerArray
        || object instanceof AtomicBoolean;
  }

  private static void add(Object value, Object from, Deque<Object> open) {
    if (value != null && !(value instanceof SlotStore) && (isWords(value) || isOurs(value))) {
      open.add(value);
    }
  }

  private static boolean isOurs(Object value) {
    Class<?> type = value.getClass();
    Class<?> element = type.isArray() ? type.getComponentType() : type;
    return element.getName().startsWith("io.hyperclock.") && !type.isEnum()
        || value instanceof AtomicReferenceArray;
  }

  private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

  private static List<Field> fields(Class<?> type) {
    return FIELDS.computeIfAbsent(
        type,
        of -> {
          List<Field> fields = new ArrayList<>();
          for (Class<?> c = of; c != null && c.getName().startsWith("io."); c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
              if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                fields.add(field);
              }
            }
          }
          return fields;
        });
  }
}
