/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.BlockCache;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.jar.JarFile;

/**
 * An earlier jar of the core, which forks run in place of the classes under test. Forks get the
 * class path of this process, so the jar stands in front of it while they are started.
 */
final class BeforeJar {
  private static final String CLASS_PATH = "java.class.path";
  private static final String PROBE = "io/hyperclock/BlockCache.class";
  private static final int DIGEST_BYTES = 6;

  private final Path jar;

  /**
   * Names a jar.
   *
   * @param jar an existing jar with the classes of the core
   */
  BeforeJar(Path jar) {
    this.jar = jar.toAbsolutePath().normalize();
  }

  /**
   * Whether a file can be such a jar.
   *
   * @param file any path
   * @return true if it is a jar that holds {@link BlockCache}
   */
  static boolean isCore(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.getEntry(PROBE) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /** Its file name and the first digits of its SHA-256, for the records. */
  String describe() throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
      String digits = HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
      return jar.getFileName() + ", sha256 " + digits;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK must have SHA-256", e);
    }
  }

  /**
   * Runs something whose forks take their classes from the jar. Not thread-safe: it changes a
   * property of the process.
   *
   * @param forks what starts them
   * @return its result
   */
  <T> T inFront(Callable<T> forks) throws Exception {
    String classPath = System.getProperty(CLASS_PATH);
    System.setProperty(CLASS_PATH, jar + File.pathSeparator + classPath);
    try {
      return forks.call();
    } finally {
      System.setProperty(CLASS_PATH, classPath);
    }
  }

  /**
   * Starts a fork and checks that it takes the classes of the core from the jar.
   *
   * @param java the JVM of the forks
   * @throws IllegalStateException if it does not
   */
  void requireInFront(String java) throws Exception {
    String origin = inFront(() -> origin(java));
    if (!origin.equals(jar.toString())) {
      throw new IllegalStateException(
          "forks must take the core from the earlier jar: before=" + jar + ", taken=" + origin);
    }
  }

  /** Where a JVM with this class path takes the core from. */
  private static String origin(String java) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(java, "-cp", System.getProperty(CLASS_PATH), Origin.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("a fork must start: java=" + java);
    }
    return printed;
  }

  /** Prints where the core comes from. */
  static final class Origin {
    private Origin() {}

    public static void main(String[] args) throws URISyntaxException {
      System.out.println(
          Path.of(BlockCache.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
  }
}
