/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs tests in woven classes; see {@link Woven}. */
final class WovenExtension implements InvocationInterceptor {
  private static final String INTERNAL = "io.hyperclock.internal.";

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> invocationContext,
      ExtensionContext extensionContext)
      throws Throwable {
    invocation.skip();
    Method method = invocationContext.getExecutable();
    Class<?> testClass = invocationContext.getTargetClass();
    Woven woven =
        AnnotationSupport.findAnnotation(method, Woven.class)
            .or(() -> AnnotationSupport.findAnnotation(testClass, Woven.class))
            .orElseThrow();
    Class<?> copy = loader(List.of(woven.value())).loadClass(testClass.getName());
    Constructor<?> constructor = copy.getDeclaredConstructor();
    constructor.setAccessible(true);
    Method same =
        Class.forName(method.getDeclaringClass().getName(), false, copy.getClassLoader())
            .getDeclaredMethod(method.getName());
    same.setAccessible(true);
    try {
      same.invoke(constructor.newInstance());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** A new one for each test: a mutation run changes classes as they are loaded. */
  private static WovenClassLoader loader(List<String> packages) {
    packages.forEach(WovenExtension::requirePackage);
    return new WovenClassLoader(name -> isWoven(name, packages), SwitchPointWeaver::weave);
  }

  /** A package that has moved would lose its switch points, and the test its sense. */
  private static void requirePackage(String name) {
    String path = (INTERNAL + name).replace('.', '/');
    if (WovenExtension.class.getClassLoader().getResource(path) == null) {
      throw new IllegalArgumentException("a package with switch points must be there: " + name);
    }
  }

  private static boolean isWoven(String name, List<String> packages) {
    String place = name.startsWith(INTERNAL) ? name.substring(INTERNAL.length()) : "";
    return !place.isEmpty()
        && !name.endsWith("Test")
        && !name.contains("Test$")
        && (packages.isEmpty()
            || packages.stream().anyMatch(wanted -> place.startsWith(wanted + ".")));
  }
}
