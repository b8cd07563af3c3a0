/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BeforeJarTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private Path directory;

  /** A jar whose only class has the name of one of the core and something else in it. */
  private Path jar(String name) throws IOException {
    Path source = directory.resolve(name + ".java");
    Files.writeString(
        source, "package io.hyperclock; public interface " + name + " { int EARLIER = 1; }");
    Path classes = directory.resolve("classes");
    Files.createDirectories(classes);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(status).isZero();
    Path jar = directory.resolve("earlier " + name + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      String entry = "io/hyperclock/" + name + ".class";
      out.putNextEntry(new JarEntry(entry));
      out.write(Files.readAllBytes(classes.resolve(entry)));
      out.closeEntry();
    }
    return jar;
  }

  @Test
  void forksTakeTheCoreFromTheEarlierJar() throws Exception {
    String classPath = System.getProperty("java.class.path");
    BeforeJar before = new BeforeJar(jar("BlockCache"));

    before.requireInFront(JAVA);

    assertThat(System.getProperty("java.class.path")).isEqualTo(classPath);
    assertThat(before.describe()).matches("earlier BlockCache.jar, sha256 [0-9a-f]{12}");
  }

  @Test
  void noticesAJarThatDoesNotReplaceTheCore() throws Exception {
    Path jar = jar("Other");
    assertThat(BeforeJar.isCore(jar)).isFalse();
    assertThatThrownBy(() -> new BeforeJar(jar).requireInFront(JAVA))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("forks must take the core from the earlier jar: before=");
  }

  @Test
  void tellsTheCoreFromOtherFiles() throws Exception {
    assertThat(BeforeJar.isCore(jar("BlockCache"))).isTrue();
    assertThat(BeforeJar.isCore(directory.resolve("missing.jar"))).isFalse();
    Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
    assertThat(BeforeJar.isCore(text)).isFalse();
    assertThat(BeforeJar.isCore(directory)).isFalse();
  }

  @Test
  void putsTheClassPathBackAfterAFailure() throws Exception {
    String classPath = System.getProperty("java.class.path");
    BeforeJar before = new BeforeJar(jar("BlockCache"));
    assertThatThrownBy(
            () ->
                before.inFront(
                    () -> {
                      throw new IOException("broken");
                    }))
        .hasMessage("broken");
    assertThat(System.getProperty("java.class.path")).isEqualTo(classPath);
    assertThat(List.of(before.inFront(() -> System.getProperty("java.class.path")).split(":")))
        .first()
        .asString()
        .endsWith("earlier BlockCache.jar");
  }
}
