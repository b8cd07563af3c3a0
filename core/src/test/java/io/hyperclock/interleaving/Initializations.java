/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Notes which classes that have static initializers run them. */
public final class Initializations {
  private static final Set<String> BEGUN = ConcurrentHashMap.newKeySet();

  private Initializations() {}

  /** A loader of classes of a package, of which each says when it is initialized. */
  public static ClassLoader loader(String packageName) {
    BEGUN.clear();
    return new WovenClassLoader(name -> name.startsWith(packageName + "."), Initializations::weave);
  }

  /** The classes that the last loader has initialized. */
  public static Set<String> begun() {
    return Set.copyOf(BEGUN);
  }

  /** Called by woven code. */
  public static void begin(String name) {
    BEGUN.add(name);
  }

  private static byte[] weave(byte[] original) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals("<clinit>") ? noting(next, reader.getClassName()) : next;
          }
        },
        0);
    return writer.toByteArray();
  }

  private static MethodVisitor noting(MethodVisitor next, String name) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        super.visitLdcInsn(name.substring(name.lastIndexOf('/') + 1));
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            Type.getInternalName(Initializations.class),
            "begin",
            "(Ljava/lang/String;)V",
            false);
      }
    };
  }
}
