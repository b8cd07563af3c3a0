/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.memorymodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * The ways through the compiled code of one method, but for those of exceptions. Every branch may
 * go either way.
 */
final class CodePaths {
  private final String name;
  private final InsnList code;

  private CodePaths(String name, InsnList code) {
    this.name = name;
    this.code = code;
  }

  /** Those of the one method of a class that has this name and not only calls another of it. */
  static CodePaths of(String className, String method) throws IOException {
    ClassNode node = new ClassNode();
    String file = className.replace('.', '/') + ".class";
    try (InputStream in = CodePaths.class.getClassLoader().getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      new ClassReader(in).accept(node, ClassReader.SKIP_DEBUG);
    }
    List<MethodNode> found =
        node.methods.stream()
            .filter(m -> m.name.equals(method) && !isShortFor(m, node.name, method))
            .toList();
    assertThat(found).as(className + "." + method).hasSize(1);
    return new CodePaths(className + "." + method, found.get(0).instructions);
  }

  private static boolean isShortFor(MethodNode method, String owner, String name) {
    return Arrays.stream(method.instructions.toArray())
        .anyMatch(
            i ->
                i instanceof MethodInsnNode call
                    && call.owner.equals(owner)
                    && call.name.equals(name));
  }

  /** Before the first instruction. */
  static Predicate<AbstractInsnNode> start() {
    return Objects::isNull;
  }

  /** A call of a method with one of these names, of whatever class. */
  static Predicate<AbstractInsnNode> call(String... names) {
    return instruction ->
        instruction instanceof MethodInsnNode call && List.of(names).contains(call.name);
  }

  /** A call of any method of a class. */
  static Predicate<AbstractInsnNode> callOf(String simpleClassName) {
    return instruction ->
        instruction instanceof MethodInsnNode call && call.owner.endsWith("/" + simpleClassName);
  }

  /** A read or write of a field. */
  static Predicate<AbstractInsnNode> field(String fieldName) {
    return i -> i instanceof FieldInsnNode field && field.name.equals(fieldName);
  }

  /** Any return. */
  static Predicate<AbstractInsnNode> end() {
    return i -> i != null && i.getOpcode() >= Opcodes.IRETURN && i.getOpcode() <= Opcodes.RETURN;
  }

  /** A return of a constant of a class. */
  static Predicate<AbstractInsnNode> endWith(String constant) {
    return i ->
        i != null
            && i.getOpcode() == Opcodes.ARETURN
            && i.getPrevious() instanceof FieldInsnNode field
            && field.name.equals(constant);
  }

  /** Fails if a way leads from one point to another and passes no third one in between. */
  void requireBetween(
      Predicate<AbstractInsnNode> from,
      Predicate<AbstractInsnNode> to,
      Predicate<AbstractInsnNode> between) {
    BitSet starts = matching(from);
    BitSet ends = matching(to);
    assertThat(starts.cardinality()).as("places to start from in " + name).isPositive();
    assertThat(reached(starts, none -> false).intersects(ends))
        .as("a way from the first to the last in " + name)
        .isTrue();
    BitSet past = reached(starts, between);
    past.and(ends);
    assertThat(past.cardinality()).as("places reached without it in " + name).isZero();
  }

  private BitSet matching(Predicate<AbstractInsnNode> point) {
    BitSet found = new BitSet();
    IntStream.rangeClosed(0, code.size()).filter(i -> point.test(get(i))).forEach(found::set);
    return found;
  }

  /** Null stands for the start, which has the number behind the last. */
  private @Nullable AbstractInsnNode get(int at) {
    return at == code.size() ? null : code.get(at);
  }

  /** What comes after some instructions, without what comes only behind another. */
  private BitSet reached(BitSet starts, Predicate<AbstractInsnNode> barrier) {
    BitSet seen = new BitSet();
    Deque<Integer> open = new ArrayDeque<>();
    starts.stream().forEach(open::add);
    BitSet first = (BitSet) starts.clone();
    while (!open.isEmpty()) {
      int at = open.remove();
      boolean stops = !first.get(at) && barrier.test(get(at));
      first.clear(at);
      if (stops) {
        continue;
      }
      for (int next : after(at)) {
        if (!seen.get(next)) {
          seen.set(next);
          open.add(next);
        }
      }
    }
    return seen;
  }

  private int[] after(int at) {
    AbstractInsnNode instruction = get(at);
    if (instruction == null) {
      return new int[] {0};
    }
    int opcode = instruction.getOpcode();
    if (instruction instanceof JumpInsnNode jump) {
      int target = code.indexOf(jump.label);
      return opcode == Opcodes.GOTO ? new int[] {target} : new int[] {target, at + 1};
    }
    if (instruction instanceof TableSwitchInsnNode choice) {
      return targets(choice.labels, choice.dflt);
    }
    if (instruction instanceof LookupSwitchInsnNode choice) {
      return targets(choice.labels, choice.dflt);
    }
    boolean ends = end().test(instruction) || opcode == Opcodes.ATHROW || at + 1 == code.size();
    return ends ? new int[0] : new int[] {at + 1};
  }

  private int[] targets(List<LabelNode> labels, LabelNode otherwise) {
    return IntStream.concat(
            labels.stream().mapToInt(code::indexOf), IntStream.of(code.indexOf(otherwise)))
        .toArray();
  }
}
