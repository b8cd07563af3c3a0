/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Loads all classes of this project anew, tests included, and changes some of them on the way. What
 * must be one for all loaders comes from the parent.
 */
public final class WovenClassLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String OURS = "io.hyperclock.";
  private static final String SHARED = "io.hyperclock.interleaving.";

  /** Whether a tool puts mutants into classes as they are loaded: what it makes is then woven. */
  private static final boolean MUTATED = weaveAfterMutation();

  private final Predicate<String> shared;
  private final Predicate<String> woven;
  private final UnaryOperator<byte[]> weaver;

  /** A loader beside that of this class, with what is shared for interleavings. */
  public WovenClassLoader(Predicate<String> woven, UnaryOperator<byte[]> weaver) {
    this(name -> name.startsWith(SHARED), woven, weaver);
  }

  /**
   * A loader beside that of this class.
   *
   * @param shared names of classes that come from the parent
   * @param woven names of classes to change
   * @param weaver changes the bytes of a class
   */
  public WovenClassLoader(
      Predicate<String> shared, Predicate<String> woven, UnaryOperator<byte[]> weaver) {
    super(WovenClassLoader.class.getClassLoader());
    this.shared = shared;
    this.woven = woven;
    this.weaver = weaver;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || shared.test(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] original = in.readAllBytes();
      byte[] bytes = MUTATED ? original : woven(name, original);
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] woven(String name, byte[] bytes) {
    return woven.test(name) ? weaver.apply(bytes) : bytes;
  }

  /** Adds a transformer after that of PIT, if this runs under it. */
  private static boolean weaveAfterMutation() {
    try {
      Field field =
          Class.forName("org.pitest.boot.HotSwapAgent").getDeclaredField("instrumentation");
      field.setAccessible(true);
      ((Instrumentation) field.get(null))
          .addTransformer(
              new ClassFileTransformer() {
                @Override
                public byte[] transform(
                    ClassLoader loader,
                    String name,
                    Class<?> redefined,
                    ProtectionDomain domain,
                    byte[] bytes) {
                  return loader instanceof WovenClassLoader ours
                      ? ours.woven(name.replace('/', '.'), bytes)
                      : null;
                }
              });
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
