/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.stats.CacheStats;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A closed cache is garbage, and so are its classes, although the threads that used it live on. */
@Timeout(120)
class ClosedCacheIsFreedTest {
  private static final int KEYS = 200;
  private static final int BYTES = 1_000;

  private final ExecutorService callers = Executors.newSingleThreadExecutor();

  /** Threads of the JDK keep what was on the stack that made them: it must not be a cache's. */
  @BeforeEach
  void startThreads() throws Exception {
    callers.submit(() -> {}).get(50, SECONDS);
    new CompletableFuture<Void>().completeOnTimeout(null, 1, SECONDS).get(50, SECONDS);
  }

  @AfterEach
  void close() {
    callers.shutdown();
  }

  private static void assertFreed(WeakReference<?> what) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .atMost(50, SECONDS)
        .until(
            () -> {
              System.gc();
              return what.get() == null;
            });
  }

  @Test
  void cache() throws Exception {
    assertAllFreed(new Use());
  }

  @Test
  void cacheWhoseTierHasNotAnswered() throws Exception {
    assertAllFreed(new HungUse());
  }

  private void assertAllFreed(Callable<List<Object>> use) throws Exception {
    callers
        .submit(() -> use.call().stream().map(WeakReference::new).toList())
        .get(50, SECONDS)
        .forEach(ClosedCacheIsFreedTest::assertFreed);
  }

  @Test
  void classLoaderOfACacheThatWasWrittenTo() throws Exception {
    assertFreed(useInOwnLoader(Use.class));
  }

  @Test
  void classLoaderOfACacheWhoseTierHasNotAnswered() throws Exception {
    assertFreed(useInOwnLoader(HungUse.class));
  }

  @Test
  void classLoaderOfACacheWhoseFiguresWereRead() throws Exception {
    assertFreed(useInOwnLoader(FiguresUse.class));
  }

  @Test
  void classLoaderOfCachesThatShareABudget() throws Exception {
    assertFreed(useInOwnLoader(BudgetUse.class));
  }

  @Test
  void classLoaderOfACacheWithALoadInALoad() throws Exception {
    assertFreed(useInOwnLoader(NestedLoadUse.class));
  }

  private WeakReference<ClassLoader> useInOwnLoader(Class<? extends Callable<?>> use)
      throws Exception {
    OwnLoader loader = new OwnLoader();
    callers
        .submit(
            () -> {
              ((Callable<?>) loader.loadClass(use.getName()).getDeclaredConstructor().newInstance())
                  .call();
              return null;
            })
        .get(50, SECONDS);
    return new WeakReference<>(loader);
  }

  /** Loads the library and its tests anew. */
  private static final class OwnLoader extends URLClassLoader {
    OwnLoader() {
      super(
          Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
              .map(OwnLoader::url)
              .toArray(URL[]::new),
          ClosedCacheIsFreedTest.class.getClassLoader());
    }

    private static URL url(String path) {
      try {
        return Path.of(path).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new UncheckedIOException(new IOException(e));
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.hyperclock.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }

  /** Values go down and up; returns the closed cache. */
  public static final class Use implements Callable<List<Object>> {
    public Use() {}

    @Override
    public List<Object> call() {
      TieredBlockCache<byte[]> cache =
          TieredBlockCache.builder(
                  BlockCache.<byte[]>builder()
                      .capacityBytes(KEYS / 2 * BYTES)
                      .estimatedEntryCharge(BYTES))
              .tier(
                  CompressedSecondaryCache.builder()
                      .capacityBytes(KEYS * BYTES)
                      .compression(Compression.NONE)
                      .build())
              .admission(AdmissionPolicy.ALL)
              .executor(Runnable::run)
              .build();
      for (int key = 0; key < KEYS; key++) {
        cache.insert(
            1, key, TestValues.value(key, 1, BYTES), TestValues.BYTES, BYTES, Priority.LOW);
      }
      for (int key = 0; key < KEYS; key++) {
        cache.get(1, key, TestValues.BYTES, null);
        try (AsyncLookup<byte[]> lookup = cache.startLookup(1, key, TestValues.BYTES, null)) {
          lookup.await();
        }
      }
      cache.close();
      return List.of(cache);
    }
  }

  /** A lookup is under way; returns the closed cache, and its executor. */
  public static final class HungUse implements Callable<List<Object>> {
    public HungUse() {}

    @Override
    public List<Object> call() {
      HookedTier tier = new HookedTier(new MapSecondaryCache(0));
      tier.isHung = true;
      Executor executor = new NoThreads();
      TieredBlockCache<byte[]> cache =
          TieredBlockCache.builder(BlockCache.<byte[]>builder().capacityBytes(1 << 20))
              .tier(tier)
              .tierTimeout(Duration.ofDays(1))
              .executor(executor)
              .build();
      cache.startLookup(1, 1, TestValues.BYTES, null);
      cache.close();
      return List.of(cache, executor);
    }
  }

  /** Looks at all figures. */
  public static final class FiguresUse implements Callable<CacheStats> {
    public FiguresUse() {}

    @Override
    public CacheStats call() {
      try (TieredBlockCache<byte[]> cache =
          TieredBlockCache.builder(BlockCache.<byte[]>builder().capacityBytes(1 << 20))
              .tier(CompressedSecondaryCache.builder().capacityBytes(1 << 20).build())
              .executor(Runnable::run)
              .build()) {
        cache.stats();
        return cache.primary().monitor().stats();
      }
    }
  }

  /** Changes a budget that the primary and a tier share. */
  public static final class BudgetUse implements Callable<Void> {
    public BudgetUse() {}

    @Override
    public Void call() {
      try (TieredBlockCache<byte[]> cache =
          TieredBlockCache.builder(BlockCache.<byte[]>builder())
              .totalCapacityBytes(16 << 20, 0.5)
              .tier(CompressedSecondaryCache.builder().capacityBytes(1 << 20).build())
              .executor(Runnable::run)
              .build()) {
        cache.setTotalCapacityBytes(32 << 20);
        return null;
      }
    }
  }

  /** A load in a loader that must not wait for a stage. */
  public static final class NestedLoadUse implements Callable<byte[]> {
    public NestedLoadUse() {}

    @Override
    public byte[] call() {
      try (BlockCache<byte[]> cache =
          BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(1).build()) {
        CompletableFuture<byte[]> stage = new CompletableFuture<>();
        cache.getAsync(1, 1, (hi, lo) -> stage);
        return cache.get(1, 2, (hi, lo) -> cache.get(1, 1, (h, l) -> new byte[1]));
      }
    }
  }

  /** Runs no task. */
  private static final class NoThreads implements Executor {
    @Override
    public void execute(Runnable task) {}
  }
}
