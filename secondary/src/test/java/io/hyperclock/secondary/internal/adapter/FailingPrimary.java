/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Lets single calls of a primary and of its handles fail. */
final class FailingPrimary {
  private static final String GIVES_BACK = "discard";

  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private Consumer<Object> onThrow = value -> {};

  /** The next call of a method fails: one that gives a handle back does so first. */
  void failNext(String method) {
    failing.add(method);
  }

  /** Who is told of a value that an insert was given and has thrown an error for. */
  void onThrow(Consumer<Object> listener) {
    onThrow = listener;
  }

  /** Not an {@link OutOfMemoryError}: JUnit would end all tests, where one fails. */
  private static InternalError failure() {
    return new InternalError("as if there were no memory, on purpose");
  }

  @SuppressWarnings("unchecked")
  BlockCache<Object> over(BlockCache<Object> cache) {
    return (BlockCache<Object>) over(BlockCache.class, cache);
  }

  private Object over(Class<?> shape, Object target) {
    return Proxy.newProxyInstance(
        shape.getClassLoader(),
        new Class<?>[] {shape},
        (proxy, method, arguments) -> {
          boolean fails = failing.remove(method.getName());
          if (fails && !method.getName().equals(GIVES_BACK)) {
            throw failure();
          }
          Object result;
          try {
            result = method.invoke(target, arguments);
          } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error && method.getName().equals("insertPinned")) {
              onThrow.accept(arguments[2]);
            }
            throw e.getCause();
          }
          if (fails) {
            throw failure();
          }
          return result instanceof Handle<?> ? over(Handle.class, result) : result;
        });
  }
}
