/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import io.hyperclock.interleaving.WovenClassLoader;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.LocalVariablesSorter;

/**
 * Loads the library anew, with a {@link FaultPoint} at the beginning of every method, before every
 * call of something that is not the library's, and before every allocation. Classes of tests are
 * loaded anew too, since they use the others, but stay as they are.
 */
final class FaultLoader {
  private static final String SHARED = "io.hyperclock.faults.Fault";
  private static final String POINT = FaultPoint.class.getName().replace('.', '/');

  /** Methods of the JDK that may allocate before they have changed anything. */
  private static final Set<String> ALLOCATING =
      Set.of(
          "add",
          "put",
          "putIfAbsent",
          "computeIfAbsent",
          "offer",
          "push",
          "addLast",
          "of",
          "toList",
          "copyOf",
          "walk",
          "iterator",
          "forEach",
          "withInitial",
          "valueOf",
          "completedFuture",
          "completeExceptionally",
          "whenComplete",
          "thenAccept",
          "thenRun",
          "copy",
          "anyOf",
          "stream",
          "increment",
          "execute",
          "arraycopy");

  private FaultLoader() {}

  /**
   * A new loader beside that of this class.
   *
   * @param struck names of the classes of the library that faults are put into
   * @param spared places where nothing is allocated although it looks so
   */
  static ClassLoader create(Predicate<String> struck, Set<String> spared) {
    return new WovenClassLoader(
        name -> name.startsWith(SHARED),
        name -> struck.test(name) && !isOfTests(name),
        bytes -> rewritten(bytes, spared));
  }

  private static boolean isOfTests(String name) {
    String file = name.replace('.', '/') + ".class";
    String place = FaultLoader.class.getClassLoader().getResource(file).toString();
    return place.contains("test-classes") || place.contains("-tests.jar!");
  }

  private static byte[] rewritten(byte[] bytes, Set<String> spared) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Rewriter(writer, spared), ClassReader.EXPAND_FRAMES);
    return writer.toByteArray();
  }

  private static final class Rewriter extends ClassVisitor {
    private final Set<String> spared;
    private String simpleName = "";

    Rewriter(ClassVisitor next, Set<String> spared) {
      super(Opcodes.ASM9, next);
      this.spared = spared;
    }

    @Override
    public void visit(
        int version, int access, String name, String signature, String base, String[] interfaces) {
      simpleName = name.substring(name.lastIndexOf('/') + 1);
      super.visit(version, access, name, signature, base, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      boolean isRun = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
      return isRun && !name.equals("<clinit>")
          ? new MethodRewriter(access, descriptor, next, simpleName + "." + name, spared)
          : next;
    }
  }

  private static final class MethodRewriter extends LocalVariablesSorter {
    private final String method;
    private final Set<String> spared;
    private final Set<Label> handlers = new HashSet<>();
    private int depth;
    private boolean atHandler;

    MethodRewriter(
        int access, String descriptor, MethodVisitor next, String method, Set<String> spared) {
      super(Opcodes.ASM9, access, descriptor, next);
      this.method = method;
      this.spared = spared;
    }

    private void point(String name, String descriptor) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, POINT, name, descriptor, false);
    }

    private void point(String name, String descriptor, String where) {
      super.visitLdcInsn(where);
      point(name, descriptor);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      depth = newLocal(Type.INT_TYPE);
      point("enter", "(Ljava/lang/String;)I", method);
      mv.visitVarInsn(Opcodes.ISTORE, depth);
    }

    private void withDepth(String name) {
      mv.visitVarInsn(Opcodes.ILOAD, depth);
      point(name, "(I)V");
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      handlers.add(handler);
      super.visitTryCatchBlock(start, end, handler, type);
    }

    @Override
    public void visitLabel(Label label) {
      super.visitLabel(label);
      atHandler |= handlers.contains(label);
    }

    @Override
    public void visitFrame(int type, int locals, Object[] local, int stacked, Object[] stack) {
      super.visitFrame(type, locals, local, stacked, stack);
      if (atHandler) {
        atHandler = false;
        withDepth("caught");
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        withDepth("leave");
      }
      super.visitInsn(opcode);
    }

    private void allocate(String what) {
      String where = method + ": " + what;
      if (!spared.contains(where)) {
        point("allocate", "(Ljava/lang/String;)V", where);
      }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      super.visitTypeInsn(opcode, type);
      // Behind it: frames refer to the place of an instruction that makes an object.
      if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
        allocate("new " + type);
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) {
        allocate("new array");
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      if (!bootstrap.getOwner().equals("java/lang/runtime/ObjectMethods")) {
        allocate("lambda " + name);
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.startsWith("java/") && !(owner.equals("java/lang/Object"))) {
        String called = owner.substring(owner.lastIndexOf('/') + 1) + "." + name;
        if (!name.equals("<init>")) {
          point("call", "(Ljava/lang/String;)V", method + ": " + called);
        }
        boolean collects =
            owner.startsWith("java/util/")
                && !owner.contains("/atomic/Atomic")
                && !owner.endsWith("Objects");
        boolean isLocal = owner.endsWith("ThreadLocal");
        boolean isView = owner.equals("java/nio/ByteBuffer") && name.equals("duplicate");
        if ((collects || owner.endsWith("StackWalker")) && ALLOCATING.contains(name)
            || isLocal && (name.equals("get") || name.equals("set"))
            || isView) {
          allocate(called);
        }
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }
  }
}
