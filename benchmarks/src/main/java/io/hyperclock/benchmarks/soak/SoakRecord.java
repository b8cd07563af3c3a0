/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import io.hyperclock.benchmarks.results.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes down how a run went: command, commit, JDK, machine, summary. */
public final class SoakRecord {
  private SoakRecord() {}

  /**
   * Writes a file.
   *
   * @param file where to
   * @param command the command as typed
   * @param seed the seed, given or drawn
   * @param result how the run ended
   */
  public static void write(Path file, String command, long seed, SoakResult result)
      throws IOException {
    JsonObject json = new JsonObject();
    json.addProperty("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    json.addProperty("command", command);
    json.addProperty("commit", commit());
    json.addProperty("jdk", Machine.java());
    json.addProperty("machine", Machine.describe());
    json.addProperty("seed", seed);
    json.addProperty("seconds", Math.round(result.seconds()));
    json.addProperty("passed", result.wrong() == null);
    json.addProperty("summary", result.summary().strip());
    json.addProperty("mostHeapBytes", result.mostHeapBytes());
    if (result.wrong() != null) {
      json.addProperty("wrong", result.wrong());
    }
    String text =
        new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(json) + "\n";
    Files.writeString(file, text);
  }

  /** The commit of the working directory, marked if files differ from it. */
  private static String commit() {
    String commit = git("rev-parse", "HEAD");
    if (!commit.matches("[0-9a-f]{40,64}")) {
      return "unknown";
    }
    return git("status", "--porcelain", "--untracked-files=no").isEmpty()
        ? commit
        : commit + ", with changes";
  }

  private static String git(String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "git";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
