/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Keys in the order of what they are worth, each with the number of its type. As bytes, little
 * endian:
 *
 * <pre>
 *   version (4), number of types (4), number of keys (4)
 *   types: length of the name in UTF-8 (4), name
 *   keys: the two words (8 each), number of the type (4)
 * </pre>
 */
final class RestartKeys {
  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 3 * Integer.BYTES;
  private static final int KEY_BYTES = 2 * Long.BYTES + Integer.BYTES;

  private long[] words = new long[64];
  private int[] types = new int[32];
  private int size;

  int size() {
    return size;
  }

  long hi(int i) {
    return words[2 * i];
  }

  long lo(int i) {
    return words[2 * i + 1];
  }

  /** Number of its type. */
  int type(int i) {
    return types[i];
  }

  void add(long hi, long lo, int type) {
    if (size == types.length) {
      types = Arrays.copyOf(types, 2 * size);
      words = Arrays.copyOf(words, 4 * size);
    }
    words[2 * size] = hi;
    words[2 * size + 1] = lo;
    types[size++] = type;
  }

  /**
   * The list as bytes.
   *
   * @param names of the types
   */
  byte[] encode(List<String> names) {
    List<byte[]> utf8 = names.stream().map(name -> name.getBytes(StandardCharsets.UTF_8)).toList();
    int head = HEAD_BYTES + utf8.stream().mapToInt(name -> Integer.BYTES + name.length).sum();
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.addExact(head, Math.multiplyExact(size, KEY_BYTES)))
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(VERSION)
            .putInt(names.size())
            .putInt(size);
    utf8.forEach(name -> bytes.putInt(name.length).put(name));
    for (int i = 0; i < size; i++) {
      bytes.putLong(hi(i)).putLong(lo(i)).putInt(types[i]);
    }
    return bytes.array();
  }

  /**
   * Reads a list, which may hold anything.
   *
   * @param names of the types that are known now, in the order of their numbers
   * @param most keys to take
   * @return the keys of these types; none if the list is not one
   */
  static RestartKeys decode(byte[] list, List<String> names, int most) {
    RestartKeys keys = new RestartKeys();
    try {
      ByteBuffer bytes = ByteBuffer.wrap(list).order(ByteOrder.LITTLE_ENDIAN);
      int version = bytes.getInt();
      int typeCount = bytes.getInt();
      int keyCount = bytes.getInt();
      if (version != VERSION || typeCount < 0 || typeCount > list.length / Integer.BYTES) {
        return keys;
      }
      int[] numbers = new int[typeCount];
      for (int i = 0; i < typeCount; i++) {
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
          return keys;
        }
        byte[] name = new byte[length];
        bytes.get(name);
        numbers[i] = names.indexOf(new String(name, StandardCharsets.UTF_8));
      }
      if (keyCount < 0 || bytes.remaining() != (long) keyCount * KEY_BYTES) {
        return keys;
      }
      for (int i = 0; i < keyCount && keys.size < most; i++) {
        long hi = bytes.getLong();
        long lo = bytes.getLong();
        int type = bytes.getInt();
        if (type >= 0 && type < typeCount && numbers[type] >= 0) {
          keys.add(hi, lo, numbers[type]);
        }
      }
    } catch (BufferUnderflowException cutOff) {
      return new RestartKeys();
    }
    return keys;
  }
}
