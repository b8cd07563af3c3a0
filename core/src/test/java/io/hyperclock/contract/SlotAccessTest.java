/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.OtherJvm;
import io.hyperclock.SlotStorage;
import io.hyperclock.stats.SlotAccess;
import io.hyperclock.versioned.VersionedCache;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which stores a JVM chooses by what it may do, and that it warns of nothing. */
class SlotAccessTest {
  private static final SlotAccess BEST =
      Runtime.version().feature() >= 22 ? SlotAccess.ADDRESS : SlotAccess.BUFFER;

  @TempDir private Path dir;

  /** Runs in a JVM of its own; also puts an entry in and reads it. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] args) {
      StringBuilder out = new StringBuilder();
      for (SlotStorage storage : SlotStorage.values()) {
        try (BlockCache<String> cache =
            BlockCache.<String>builder()
                .capacityBytes(1 << 20)
                .estimatedEntryCharge(1 << 10)
                .storage(storage)
                .build()) {
          cache.insert(1, 2, "value", 100);
          out.append(cache.get(1, 2))
              .append(' ')
              .append(cache.monitor().stats().slotAccess())
              .append(' ');
        }
        VersionedCache<String> versions =
            VersionedCache.<String>builder()
                .capacityBytes(1 << 20)
                .estimatedEntryCharge(1 << 10)
                .storage(storage)
                .build();
        out.append(versions.monitor().stats().slotAccess()).append(' ');
      }
      System.out.println(out.toString().strip());
    }
  }

  private static Path classesOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static String answer(SlotAccess offHeap) {
    return "value ARRAY ARRAY value " + offHeap + " " + offHeap;
  }

  private String said(String... arguments) throws IOException, InterruptedException {
    return OtherJvm.said(dir, arguments);
  }

  private String onClassPath(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add("-cp");
    arguments.add(
        classesOf(BlockCache.class) + java.io.File.pathSeparator + classesOf(Probe.class));
    arguments.add(Probe.class.getName());
    return said(arguments.toArray(String[]::new));
  }

  @Test
  void withoutNativeAccessThereAreBuffersAndNoWarning() throws Exception {
    assertThat(onClassPath()).isEqualTo(answer(SlotAccess.BUFFER));
  }

  @Test
  void withItThereAreAddresses() throws Exception {
    assertThat(onClassPath("--enable-native-access=ALL-UNNAMED")).isEqualTo(answer(BEST));
  }

  /** The class path has none then: had it been used, the JVM would have thrown. */
  @Test
  void withThatOfAnotherModuleThereAreBuffers() throws Exception {
    assertThat(onClassPath("--enable-native-access=java.logging"))
        .isEqualTo(answer(SlotAccess.BUFFER));
  }

  @Test
  void anExecutableJarSaysItInItsManifest() throws Exception {
    assertThat(said("-jar", jar(true).toString())).isEqualTo(answer(BEST));
    assertThat(said("-jar", jar(false).toString())).isEqualTo(answer(SlotAccess.BUFFER));
  }

  private Path jar(boolean access) throws Exception {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, Probe.class.getName());
    main.put(
        Attributes.Name.CLASS_PATH,
        classesOf(BlockCache.class).toUri() + " " + classesOf(Probe.class).toUri());
    if (access) {
      main.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
    }
    Path jar = dir.resolve(access + ".jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }

  @Test
  void aNamedModuleNeedsItsOwn() throws Exception {
    String[] module = {
      "-p",
      classesOf(BlockCache.class).toString(),
      "-cp",
      classesOf(Probe.class).toString(),
      "--add-modules",
      "io.hyperclock"
    };
    for (String owner : List.of("io.hyperclock", "ALL-UNNAMED")) {
      List<String> arguments = new ArrayList<>(List.of(module));
      arguments.add("--enable-native-access=" + owner);
      arguments.add(Probe.class.getName());
      assertThat(said(arguments.toArray(String[]::new)))
          .as(owner)
          .isEqualTo(answer(owner.equals("io.hyperclock") ? BEST : SlotAccess.BUFFER));
    }
  }
}
