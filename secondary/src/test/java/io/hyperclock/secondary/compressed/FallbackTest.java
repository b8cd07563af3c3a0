/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.hyperclock.BlockCache;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.modulepath.WhichCompressor;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which compressor a tier takes where libraries or their native parts are missing. */
class FallbackTest {
  private static final String LZ4 = "net/jpountz/";
  private static final String ZSTD = "com/github/luben/";

  @Test
  void takesTheFirstThatIsThere() throws Exception {
    assertThat(chosen(List.of())).isEqualTo("lz4");
    assertThat(chosen(List.of(), "ZSTD")).isEqualTo("zstd");
    assertThat(chosen(List.of(), "DEFLATE", "LZ4")).isEqualTo("deflate");
    assertThat(chosen(List.of(), "NONE")).isEqualTo("none");
  }

  @Test
  void fallsToTheNextWhereLibraryIsMissing() throws Exception {
    assertThat(chosen(List.of(LZ4))).isEqualTo("zstd");
    assertThat(chosen(List.of(LZ4, ZSTD))).isEqualTo("deflate");
    assertThat(chosen(List.of(ZSTD), "ZSTD", "LZ4")).isEqualTo("lz4");
    assertThat(chosen(List.of(ZSTD), "ZSTD")).isEqualTo("deflate");
    assertThat(chosen(List.of(ZSTD), "ZSTD", "NONE")).isEqualTo("none");
  }

  @Test
  void fallsToTheNextWhereNativeCodeCannotBeLoaded() throws Exception {
    assertThat(chosen(List.of(".so", ".dylib", ".dll"), "ZSTD")).isEqualTo("deflate");
    assertThat(chosen(List.of(".so", ".dylib", ".dll"), "ZSTD", "LZ4")).isEqualTo("lz4");
  }

  @Test
  void modulePathNeedsTheLibraryToBeNamed() throws Exception {
    assertThat(onModulePath()).isEqualTo("io.hyperclock.secondary deflate");
    assertThat(onModulePath("org.lz4.java")).isEqualTo("io.hyperclock.secondary lz4");
    assertThat(onModulePath("com.github.luben.zstd_jni")).isEqualTo("io.hyperclock.secondary zstd");
  }

  /** What a tier takes if classes and resources with these parts in their names are missing. */
  private static String chosen(List<String> missing, String... preferred) throws Exception {
    try (Without loader = new Without(missing)) {
      Class<?> tier = loader.loadClass(CompressedSecondaryCache.class.getName());
      assertThat(tier.getClassLoader()).isSameAs(loader);
      Object builder = tier.getMethod("builder").invoke(null);
      Class<?> builderType = builder.getClass();
      builderType.getMethod("capacityBytes", long.class).invoke(builder, 1L << 20);
      if (preferred.length > 0) {
        Class<?> type = loader.loadClass(Compression.class.getName());
        Object rest = Array.newInstance(type, preferred.length - 1);
        for (int i = 1; i < preferred.length; i++) {
          Array.set(rest, i - 1, constant(type, preferred[i]));
        }
        builderType
            .getMethod("compression", type, rest.getClass())
            .invoke(builder, constant(type, preferred[0]), rest);
      }
      Object made = builderType.getMethod("build").invoke(builder);
      return (String) tier.getMethod("compressorName").invoke(made);
    }
  }

  private static Object constant(Class<?> type, String name) throws Exception {
    return type.getField(name).get(null);
  }

  private static String onModulePath(String... modules) throws Exception {
    List<String> path = new ArrayList<>();
    for (Class<?> type :
        List.of(CompressedSecondaryCache.class, BlockCache.class, LZ4Factory.class, Zstd.class)) {
      path.add(place(type));
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--module-path");
    command.add(String.join(File.pathSeparator, path));
    command.add("--add-modules");
    command.add("io.hyperclock.secondary" + (modules.length == 0 ? "" : "," + modules[0]));
    command.add("-cp");
    command.add(place(WhichCompressor.class));
    command.add(WhichCompressor.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (InputStream out = process.getInputStream()) {
      String said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  private static String place(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  /** Loads everything anew but what is missing. */
  private static final class Without extends URLClassLoader {
    private final List<String> missing;

    Without(List<String> missing) throws MalformedURLException {
      super(classPath(), ClassLoader.getPlatformClassLoader());
      this.missing = missing;
    }

    private static URL[] classPath() throws MalformedURLException {
      List<URL> urls = new ArrayList<>();
      for (String place :
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
              .split(File.pathSeparator)) {
        urls.add(new File(place).toURI().toURL());
      }
      return urls.toArray(URL[]::new);
    }

    private boolean isMissing(String name) {
      return missing.stream().anyMatch(name::contains);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (isMissing(name.replace('.', '/') + ".class")) {
        throw new ClassNotFoundException(name);
      }
      return super.findClass(name);
    }

    @Override
    public @Nullable URL findResource(String name) {
      return isMissing(name) ? null : super.findResource(name);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
      return isMissing(name) ? Collections.emptyEnumeration() : super.findResources(name);
    }
  }
}
