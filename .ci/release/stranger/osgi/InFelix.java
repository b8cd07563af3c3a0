/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package stranger;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** Starts the jars that are named as bundles, and uses the cache and a tier in them. */
public final class InFelix {
  private InFelix() {}

  /** Throws if a bundle does not start. */
  public static void main(String[] args) throws Exception {
    Path storage = Files.createTempDirectory("felix");
    Framework framework =
        ServiceLoader.load(FrameworkFactory.class)
            .findFirst()
            .orElseThrow()
            .newFramework(Map.of("org.osgi.framework.storage", storage.toString()));
    framework.start();
    List<Bundle> bundles = new ArrayList<>();
    for (String jar : args) {
      bundles.add(framework.getBundleContext().installBundle(Path.of(jar).toUri().toString()));
    }
    for (Bundle bundle : bundles) {
      bundle.start();
    }
    Object builder =
        bundles.get(0).loadClass("io.hyperclock.BlockCache").getMethod("builder").invoke(null);
    builder.getClass().getMethod("capacityBytes", long.class).invoke(builder, 1L << 20);
    try (AutoCloseable cache =
        (AutoCloseable) builder.getClass().getMethod("build").invoke(builder)) {
      System.out.println(bundles.get(0).getSymbolicName() + " " + (cache != null));
    }
    Class<?> tier =
        bundles
            .get(1)
            .loadClass("io.hyperclock.secondary.compressed.CompressedSecondaryCache");
    Object tierBuilder = tier.getMethod("builder").invoke(null);
    tierBuilder.getClass().getMethod("capacityBytes", long.class).invoke(tierBuilder, 1L << 20);
    try (AutoCloseable made =
        (AutoCloseable) tierBuilder.getClass().getMethod("build").invoke(tierBuilder)) {
      System.out.println(
          bundles.get(1).getSymbolicName() + " " + tier.getMethod("compressorName").invoke(made));
    }
    try {
      bundles.get(0).loadClass("io.hyperclock.internal.cache.Shard");
    } catch (ClassNotFoundException e) {
      throw new AssertionError("the bundle's own classes must be there", e);
    }
    framework.stop();
    framework.waitForStop(60_000);
  }
}
