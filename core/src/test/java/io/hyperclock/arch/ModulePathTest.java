/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses this library from another module, as a named module. */
class ModulePathTest {
  private static final String MODULE_INFO =
      "module consumer { requires io.hyperclock; exports consumer; }";
  private static final String MAIN =
      """
      package consumer;

      import io.hyperclock.BlockCache;

      public final class Main {
        public static Object run() {
          try (BlockCache<String> cache =
              BlockCache.<String>builder()
                  .capacityBytes(1 << 20)
                  .estimatedEntryCharge(1 << 10)
                  .build()) {
            cache.insert(1, 2, "value", 100);
            return cache.get(1, 2) + " from " + BlockCache.class.getModule().getName();
          }
        }
      }
      """;

  @Test
  void exportsAllPackagesButInternalOnes() {
    ModuleDescriptor module =
        ModuleFinder.of(ModuleFiles.mainClasses()).find("io.hyperclock").orElseThrow().descriptor();
    Set<String> exported =
        module.exports().stream()
            .filter(export -> !export.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(toSet());
    Set<String> notInternal =
        module.packages().stream().filter(name -> !name.contains(".internal")).collect(toSet());
    assertThat(exported).isEqualTo(notInternal);
  }

  @Test
  void showsTheTiersNothingInternalButWhatEndsWithTheStack() {
    ModuleDescriptor module =
        ModuleFinder.of(ModuleFiles.mainClasses()).find("io.hyperclock").orElseThrow().descriptor();
    assertThat(module.exports())
        .filteredOn(ModuleDescriptor.Exports::isQualified)
        .singleElement()
        .satisfies(
            export -> {
              assertThat(export.source()).isEqualTo("io.hyperclock.internal.errors");
              assertThat(export.targets()).containsExactly("io.hyperclock.secondary");
            });
  }

  @Test
  void servesAConsumerOnTheModulePath(@TempDir Path dir) throws Exception {
    ClassLoader loader = consumer(dir);
    Object result = loader.loadClass("consumer.Main").getMethod("run").invoke(null);
    assertThat(result).isEqualTo("value from io.hyperclock");
  }

  @Test
  void needsNoOptionalLibrary(@TempDir Path dir) throws Exception {
    ClassLoader loader = consumer(dir);
    Class<?> events = loader.loadClass("io.hyperclock.metrics.JfrEvents");
    assertThat(events.getMethod("named", String.class).invoke(null, "any")).isInstanceOf(events);
    assertThatThrownBy(() -> loader.loadClass("io.hyperclock.metrics.HyperClockMetrics"))
        .isInstanceOf(NoClassDefFoundError.class)
        .hasMessageContaining("micrometer");
  }

  private static ClassLoader consumer(Path dir) throws IOException {
    Optional<ToolProvider> javac = ToolProvider.findFirst("javac");
    assumeTrue(javac.isPresent(), "this runtime has no compiler");
    Path classes = compile(javac.get(), dir);
    Configuration configuration =
        ModuleLayer.boot()
            .configuration()
            .resolve(
                ModuleFinder.of(classes, ModuleFiles.mainClasses()),
                ModuleFinder.of(),
                Set.of("consumer"));
    ModuleLayer layer =
        ModuleLayer.boot()
            .defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
    return layer.findLoader("consumer");
  }

  private static Path compile(ToolProvider javac, Path dir) throws IOException {
    Path moduleInfo = Files.writeString(dir.resolve("module-info.java"), MODULE_INFO);
    Path main = Files.createDirectories(dir.resolve("consumer")).resolve("Main.java");
    Files.writeString(main, MAIN);
    Path classes = dir.resolve("classes");
    List<String> arguments =
        List.of(
            "-p",
            ModuleFiles.mainClasses().toString(),
            "-d",
            classes.toString(),
            moduleInfo.toString(),
            main.toString());
    StringWriter messages = new StringWriter();
    PrintWriter out = new PrintWriter(messages, true);
    int status = javac.run(out, out, arguments.toArray(String[]::new));
    assertThat(status).as(messages.toString()).isZero();
    return classes;
  }
}
