/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts a call of {@link SwitchPoints#access} before each access of what threads share: through a
 * {@code VarHandle}, an atomic or concurrent class, a future, a volatile field, a monitor; and lets
 * code park, unpark and spin through {@link SwitchPoints}. Stacks and frames stay as they are.
 */
final class SwitchPointWeaver {
  private static final int API = Opcodes.ASM9;
  private static final String SWITCH_POINTS = Type.getInternalName(SwitchPoints.class);
  private static final String VAR_HANDLE = "java/lang/invoke/VarHandle";

  /** Classes below java.util.concurrent whose methods read or write what threads share. */
  private static final Set<String> SHARED =
      Set.of(
          "ConcurrentHashMap",
          "ConcurrentMap",
          "ConcurrentLinkedQueue",
          "ConcurrentLinkedDeque",
          "CompletableFuture");

  private static final Map<String, Set<String>> VOLATILE_FIELDS = new ConcurrentHashMap<>();

  private SwitchPointWeaver() {}

  /** The same class with switch points. */
  static byte[] weave(byte[] original) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(API, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals("<clinit>") ? next : new Accesses(next);
          }
        },
        0);
    return writer.toByteArray();
  }

  private static Set<String> volatileFieldsOf(String owner) {
    return VOLATILE_FIELDS.computeIfAbsent(owner, SwitchPointWeaver::readVolatileFields);
  }

  private static Set<String> readVolatileFields(String owner) {
    Set<String> names = new HashSet<>();
    try (InputStream in = ClassLoader.getSystemResourceAsStream(owner + ".class")) {
      new ClassReader(in)
          .accept(
              new ClassVisitor(API) {
                @Override
                public FieldVisitor visitField(
                    int access, String name, String descriptor, String signature, Object value) {
                  if ((access & Opcodes.ACC_VOLATILE) != 0) {
                    names.add(name);
                  }
                  return null;
                }
              },
              ClassReader.SKIP_CODE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static final class Accesses extends MethodVisitor {
    Accesses(MethodVisitor next) {
      super(API, next);
    }

    private void access() {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, SWITCH_POINTS, "access", "()V", false);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      boolean parks =
          owner.equals("java/util/concurrent/locks/LockSupport")
              && List.of("park", "parkNanos", "unpark").contains(name);
      boolean spins =
          owner.equals("java/lang/Thread") && List.of("onSpinWait", "yield").contains(name);
      if (parks || spins) {
        super.visitMethodInsn(opcode, SWITCH_POINTS, name, descriptor, false);
        return;
      }
      if (isShared(owner, name)) {
        access();
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    private static boolean isShared(String owner, String name) {
      if (name.equals("<init>")) {
        return false;
      }
      if (owner.equals(VAR_HANDLE)) {
        return !name.endsWith("Fence");
      }
      if (owner.equals("java/lang/Thread")) {
        return name.equals("isInterrupted") || name.equals("interrupted");
      }
      return owner.startsWith("java/util/concurrent/atomic/")
          || owner.startsWith("java/util/concurrent/")
              && SHARED.contains(owner.substring("java/util/concurrent/".length()));
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (owner.startsWith("io/hyperclock/") && volatileFieldsOf(owner).contains(name)) {
        access();
      }
      super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT) {
        access();
      }
      super.visitInsn(opcode);
    }
  }
}
