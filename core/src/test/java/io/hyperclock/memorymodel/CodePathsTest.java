/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static io.hyperclock.memorymodel.CodePaths.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.internal.table.ClockTable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * What the compiled code does not leave out on any way from one access to another: fences above
 * all, which no run shows. {@link OrderOfAccessesTest} holds the sources to the order as it is
 * written; this one also sees a step that has moved into a branch or out of a loop.
 */
class CodePathsTest {
  private final CodePathRules rules = new CodePathRules();

  @TestFactory
  Stream<DynamicTest> noWayLeadsPast() {
    return rules.all().stream().map(rule -> DynamicTest.dynamicTest(rule.name(), rule::check));
  }

  /** Whoever needs another fence says here what for. */
  @Test
  void eachFenceHasARule() throws IOException, URISyntaxException {
    assertThat(methodsWithFences()).isEqualTo(rules.methodsWithFences());
  }

  private static Set<String> methodsWithFences() throws IOException, URISyntaxException {
    Set<String> found = new TreeSet<>();
    Path classes =
        Path.of(ClockTable.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path file : files) {
      ClassNode node = new ClassNode();
      try (InputStream in = Files.newInputStream(file)) {
        new ClassReader(in).accept(node, ClassReader.SKIP_DEBUG);
      }
      for (MethodNode method : node.methods) {
        if (Stream.of(method.instructions.toArray()).anyMatch(CodePathsTest::isFence)) {
          found.add(
              node.name.replace('/', '.').replace(CodePathRules.INTERNAL, "") + "." + method.name);
        }
      }
    }
    return found;
  }

  private static boolean isFence(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        && call.owner.equals("java/lang/invoke/VarHandle")
        && call.name.endsWith("Fence");
  }

  /** What the rules are checked with, on ways that are known. */
  static final class Ways {
    private Ways() {}

    static void first() {}

    static void fence() {}

    static void last() {}

    static void always(int times) {
      for (int i = 0; i < times; i++) {
        first();
      }
      fence();
      last();
    }

    static void inABranch(int times) {
      first();
      if (times > 0) {
        fence();
      }
      last();
    }

    static void onceRound(int times) {
      for (int i = 0; i < times; i++) {
        last();
        first();
      }
      fence();
    }

    static void byChoice(int times) {
      first();
      switch (times) {
        case 0 -> fence();
        case 1 -> first();
        case 1_000 -> fence();
        default -> throw new IllegalArgumentException();
      }
      last();
    }
  }

  private static void check(String method, String from, String between, String to)
      throws IOException {
    CodePaths.of(Ways.class.getName(), method).requireBetween(call(from), call(to), call(between));
  }

  @Test
  void waysAreSeen() throws IOException {
    check("always", "first", "fence", "last");
    for (String method : List.of("inABranch", "onceRound", "byChoice")) {
      assertThatThrownBy(() -> check(method, "first", "fence", "last"))
          .as(method)
          .hasMessageContaining("reached without it");
    }
    assertThatThrownBy(() -> check("always", "last", "fence", "first"))
        .hasMessageContaining("a way from the first to the last");
    assertThatThrownBy(() -> check("always", "never", "fence", "last"))
        .hasMessageContaining("places to start from");
  }
}
