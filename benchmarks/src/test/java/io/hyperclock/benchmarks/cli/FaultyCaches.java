/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.benchmarks.soak.SoakCaches;
import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.VersionedCache;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Caches that do one thing wrong. */
final class FaultyCaches implements SoakCaches, AutoCloseable {
  /** What is wrong. */
  enum Fault {
    FREES_TWICE,
    FINDS_ANOTHER_KEY,
    LOSES_A_FREE,
    HANGS,
    ERASES_NOTHING,
    FREES_WHAT_IS_HELD,
    LEAKS_A_PIN,
    LEAKS_A_SCOPE,
    THROWS,
    COUNTS_WRONG,
    SHOWS_PREPARED,
    COMMITS_NOTHING,
    TIERS_ERASE_NOTHING,
    TIERS_MIX_A_BATCH,
    TIERS_HANG,
    TIERS_LEAK_A_PIN
  }

  private final Fault fault;
  private final CountDownLatch released = new CountDownLatch(1);

  private final Map<EntryType<?>, EntryType<?>> freesNothing = new ConcurrentHashMap<>();

  FaultyCaches(Fault fault) {
    this.fault = fault;
  }

  /** Lets those go that hang. */
  @Override
  public void close() {
    released.countDown();
  }

  /** A call of a cache. */
  private record Call(Object cache, Method method, Object[] arguments) {
    boolean is(String name, int parameters) {
      return method.getName().equals(name) && method.getParameterCount() == parameters;
    }

    Object run() throws Throwable {
      try {
        return method.invoke(cache, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  private interface Wrong {
    Object answer(Call call) throws Throwable;
  }

  private static <C> C wrap(Class<C> type, C cache, Wrong wrong) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> wrong.answer(new Call(cache, method, arguments))));
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> BlockCache<V> blocks(BlockCache<V> cache) {
    return wrap(BlockCache.class, cache, call -> answerBlocks((BlockCache<Object>) cache, call));
  }

  private Object answerBlocks(BlockCache<Object> cache, Call call) throws Throwable {
    switch (fault) {
      case FREES_TWICE -> {
        Object result = call.run();
        if (call.is("insert", 6) && result == InsertResult.KEPT_EXISTING) {
          dispose((EntryType<?>) call.arguments()[3], call.arguments());
        }
        return result;
      }
      case FINDS_ANOTHER_KEY -> {
        if (call.is("get", 2)) {
          Object[] key = call.arguments();
          return cache.get((Long) key[0], (Long) key[1] + (3 << 12));
        }
      }
      case LOSES_A_FREE -> {
        if (call.is("insert", 6)) {
          call.arguments()[3] =
              freesNothing.computeIfAbsent(
                  (EntryType<?>) call.arguments()[3], FaultyCaches::freesNothing);
        }
      }
      case HANGS -> {
        if (call.is("lookup", 2)) {
          released.await();
        }
      }
      case ERASES_NOTHING -> {
        if (call.is("erase", 2)) {
          return true;
        }
      }
      case FREES_WHAT_IS_HELD -> {
        Object result = call.run();
        if (call.is("lookup", 2) && result != null) {
          Handle<?> handle = (Handle<?>) result;
          dispose(handle.type(), new Object[] {handle.keyHi(), handle.keyLo(), handle.value()});
        }
        return result;
      }
      case LEAKS_A_PIN -> {
        if (call.is("lookup", 2)) {
          cache.lookup((Long) call.arguments()[0], (Long) call.arguments()[1]);
        }
      }
      case LEAKS_A_SCOPE -> {
        if (call.is("openScope", 0)) {
          cache.openScope();
        }
      }
      case THROWS -> {
        if (call.is("lookup", 2)) {
          throw new NullPointerException("planted");
        }
      }
      case COUNTS_WRONG -> {
        if (call.is("getAll", 2)) {
          return (Integer) call.run() + 1;
        }
      }
      default -> {}
    }
    return call.run();
  }

  private static EntryType<?> freesNothing(EntryType<?> type) {
    return type.disposer() == null
        ? type
        : EntryType.named(type.name()).role(type.role()).disposer((hi, lo, value) -> {}).build();
  }

  @SuppressWarnings("unchecked")
  private static void dispose(EntryType<?> type, Object[] entry) {
    Disposer<Object> disposer = (Disposer<Object>) type.disposer();
    if (disposer != null) {
      disposer.dispose((Long) entry[0], (Long) entry[1], entry[2]);
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> VersionedCache<V> versioned(VersionedCache<V> cache) {
    return wrap(
        VersionedCache.class,
        cache,
        call -> {
          if (fault == Fault.SHOWS_PREPARED && call.is("get", 2)) {
            return cache.readForWrite((Long) call.arguments()[0], (Long) call.arguments()[1]);
          }
          if (fault == Fault.COMMITS_NOTHING && call.is("commit", 1)) {
            cache.abort((PrepareToken) call.arguments()[0]);
            return Decision.OK;
          }
          return call.run();
        });
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> TieredBlockCache<V> tiered(TieredBlockCache<V> cache) {
    return wrap(
        TieredBlockCache.class,
        cache,
        call -> {
          if (fault == Fault.TIERS_ERASE_NOTHING && call.is("erase", 2)) {
            return true;
          }
          if (fault == Fault.TIERS_LEAK_A_PIN && call.is("get", 3)) {
            cache.lookup(
                (Long) call.arguments()[0],
                (Long) call.arguments()[1],
                (EntryType<V>) call.arguments()[2]);
          }
          if (fault == Fault.TIERS_HANG && call.is("waitAll", 1)) {
            released.await();
          }
          Object result = call.run();
          if (fault == Fault.TIERS_MIX_A_BATCH && call.is("startLookups", 3)) {
            List<Object> reversed = new ArrayList<>((List<?>) result);
            Collections.reverse(reversed);
            return reversed;
          }
          return result;
        });
  }
}
