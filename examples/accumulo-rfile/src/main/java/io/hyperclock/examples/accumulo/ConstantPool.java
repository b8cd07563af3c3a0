/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads which classes a class file names, by its constant pool alone. */
final class ConstantPool {
  private static final int MAGIC = 0xCAFEBABE;
  private static final int FIRST_ENTRY = 10;

  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int CLASS = 7;

  private final byte[] bytes;
  private int position;

  private ConstantPool(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Names of the classes that the constant pool refers to by {@code CONSTANT_Class} entries:
   * itself, its supertypes and those whose members it uses. An array counts as its element class,
   * if that is not a primitive type.
   *
   * @param classFile a whole class file
   * @return internal names such as {@code java/lang/Object}, in the order of the pool, perhaps with
   *     repeats (of a class and its arrays)
   * @throws IllegalArgumentException if the bytes are not a class file
   */
  static List<String> classNames(byte[] classFile) {
    try {
      return new ConstantPool(classFile).read();
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "class file must be complete: length=" + classFile.length, e);
    }
  }

  private List<String> read() {
    if (bytes.length < FIRST_ENTRY || int32(0) != MAGIC) {
      throw new IllegalArgumentException(
          "class file must start with 0xCAFEBABE: length=" + bytes.length);
    }
    int count = uint16(FIRST_ENTRY - 2);
    int[] offsets = new int[count];
    int[] classes = new int[count];
    int classCount = 0;
    position = FIRST_ENTRY;
    for (int index = 1; index < count; index++) {
      offsets[index] = position;
      int tag = bytes[position];
      if (tag == CLASS) {
        classes[classCount++] = uint16(position + 1);
      }
      position += sizeOf(tag);
      if (tag == LONG || tag == DOUBLE) {
        index++;
      }
    }
    List<String> names = new ArrayList<>(classCount);
    for (int i = 0; i < classCount; i++) {
      addElementClass(names, utf8(offsets[classes[i]]));
    }
    return names;
  }

  private int sizeOf(int tag) {
    return switch (tag) {
      case UTF8 -> 3 + uint16(position + 1);
      case LONG, DOUBLE -> 9;
      case 3, 4, 9, 10, 11, 12, 17, 18 -> 5;
      case CLASS, 8, 16, 19, 20 -> 3;
      case 15 -> 4;
      default ->
          throw new IllegalArgumentException(
              "constant pool tag must be known: tag=" + tag + ", offset=" + position);
    };
  }

  private static void addElementClass(List<String> names, String name) {
    if (name.charAt(0) != '[') {
      names.add(name);
    } else if (name.charAt(name.length() - 1) == ';') {
      names.add(name.substring(name.indexOf('L') + 1, name.length() - 1));
    }
  }

  private String utf8(int offset) {
    if (offset == 0 || bytes[offset] != UTF8) {
      throw new IllegalArgumentException(
          "class entry must refer to a name: offset=" + offset + ", length=" + bytes.length);
    }
    int length = uint16(offset + 1);
    int start = offset + 3;
    for (int i = start; i < start + length; i++) {
      if (bytes[i] < 0) {
        return modifiedUtf8(offset + 1, length + 2);
      }
    }
    return new String(bytes, start, length, StandardCharsets.ISO_8859_1);
  }

  private String modifiedUtf8(int offset, int length) {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes, offset, length))) {
      return in.readUTF();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int uint16(int offset) {
    return (bytes[offset] & 0xFF) << 8 | bytes[offset + 1] & 0xFF;
  }

  private int int32(int offset) {
    return uint16(offset) << 16 | uint16(offset + 2);
  }
}
