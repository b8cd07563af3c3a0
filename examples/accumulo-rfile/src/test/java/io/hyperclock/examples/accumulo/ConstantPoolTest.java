/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConstantPoolTest {
  @Test
  void findsTheClassesThatAClassNames() throws IOException {
    byte[] bytes;
    try (InputStream in = getClass().getResourceAsStream("ConstantPoolTest.class")) {
      bytes = in.readAllBytes();
    }

    assertThat(ConstantPool.classNames(bytes))
        .contains(
            "io/hyperclock/examples/accumulo/ConstantPoolTest",
            "io/hyperclock/examples/accumulo/ConstantPool",
            "java/lang/Object",
            "java/io/InputStream")
        .doesNotContain("java/util/HashMap");
  }

  @Test
  void passesOverEveryOtherKindOfConstant() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xCAFEBABE);
    out.writeShort(0);
    out.writeShort(61);
    out.writeShort(26);
    utf8(out, "first/Name"); // 1
    out.write(new byte[] {5, 1, 1, 1, 1, 1, 1, 1, 1}); // 2 and 3: long
    out.write(new byte[] {6, 7, 7, 7, 7, 7, 7, 7, 7}); // 4 and 5: double
    utf8(out, "[[Lelement/Type;"); // 6
    utf8(out, "[[J"); // 7
    utf8(out, "caf\u00e9/\u0000Name"); // 8
    for (int tag : new int[] {3, 4, 9, 10, 11, 12, 17, 18}) { // 9 to 16
      out.write(new byte[] {(byte) tag, 7, 7, 7, 7});
    }
    for (int tag : new int[] {8, 16, 19, 20}) { // 17 to 20
      out.write(new byte[] {(byte) tag, 7, 7});
    }
    out.write(new byte[] {15, 7, 7, 7}); // 21
    for (int name : new int[] {6, 1, 7, 8}) { // 22 to 25
      out.write(new byte[] {7, 0, (byte) name});
    }

    assertThat(ConstantPool.classNames(bytes.toByteArray()))
        .containsExactly("element/Type", "first/Name", "caf\u00e9/\u0000Name");
  }

  @Test
  void readsEveryClassOfAModule() throws IOException {
    Map<String, Path> files = ClassTable.classFiles("/modules/java.logging");

    assertThat(files).hasSizeGreaterThan(20);
    for (Map.Entry<String, Path> file : files.entrySet()) {
      assertThat(ConstantPool.classNames(Files.readAllBytes(file.getValue())))
          .contains(file.getKey());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 9, 10, 11, 20})
  void refusesAPartOfAClassFile(int length) throws IOException {
    byte[] bytes;
    try (InputStream in = getClass().getResourceAsStream("ConstantPoolTest.class")) {
      bytes = in.readAllBytes();
    }

    assertThatThrownBy(() -> ConstantPool.classNames(Arrays.copyOf(bytes, length)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length=" + length);
  }

  @Test
  void refusesUnknownConstants() {
    byte[] bytes = {-54, -2, -70, -66, 0, 0, 0, 61, 0, 2, 99, 0, 0, 0, 0};

    assertThatThrownBy(() -> ConstantPool.classNames(bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("constant pool tag must be known: tag=99, offset=10");
  }

  private static void utf8(DataOutputStream out, String text) throws IOException {
    out.writeByte(1);
    out.writeUTF(text);
  }
}
