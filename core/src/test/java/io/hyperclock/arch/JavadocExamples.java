/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The examples in the Javadoc of public types, each compiled as the body of a method. */
final class JavadocExamples {
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\\n(.*?)\\n\\s*\\*\\s*\\}</pre>", Pattern.DOTALL);
  private static final Pattern MARGIN = Pattern.compile("^\\s*\\* ?", Pattern.MULTILINE);
  private static final Pattern TYPE =
      Pattern.compile(
          "^public (?:final |abstract |sealed )*(class|interface|enum|record) (\\w+)",
          Pattern.MULTILINE);

  /** What the examples have in common: types without imports, and what they read and call. */
  private static final String AROUND =
      """
      import io.hyperclock.*;
      import io.hyperclock.entry.*;
      import io.hyperclock.files.*;
      import io.hyperclock.memory.*;
      import io.hyperclock.metrics.*;
      import io.hyperclock.reservation.*;
      import io.hyperclock.stats.*;
      import io.hyperclock.versioned.*;
      import io.micrometer.core.instrument.MeterRegistry;
      import java.io.*;
      import java.net.URI;
      import java.net.http.HttpClient;
      import java.nio.channels.FileChannel;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.util.*;
      import java.util.concurrent.*;
      abstract class %s {
        interface Store { CompletableFuture<byte[]> readAsync(long offset); }
        BlockCache<byte[]> cache; BlockCache<PooledBuffer> buffers; VersionedCache<byte[]> rows;
        FileKey file; int at; long offset, hi, lo, table, id, from, to, charge; int count;
        byte[] bytes, row, debit, credit; long[] keys;
        Map<Long, byte[]> recent; PooledBuffer buffer; EntryType<byte[]> INDEX; BlockLoader<byte[]> loader; Store store;
        BlockFiles files; CachedFile cachedFile; FileChannel channel; Path path;
        MemoryBudget tieredCache; ReservationManager manager; MeterRegistry registry;
        abstract byte[] readFromDisk(long offset) throws IOException;
        abstract void writeToDisk(long offset, byte[] bytes);
        abstract void readRange(long[] keys, byte[][] blocks);
        abstract void use(Object... values);
        abstract void log(String text);
        abstract void giveBack(byte[] bytes);
        abstract boolean isCorrupt(byte[] bytes);
        abstract void askTheCoordinator();
        Object example() throws Exception {
          if (true) {
      %s
          }
          return null;
        }
      }
      """;

  private final Map<String, String> classes = new LinkedHashMap<>();

  /** The kind of the public type of a file, such as {@code interface}; empty if there is none. */
  static String kind(String text) {
    Matcher type = TYPE.matcher(text);
    return type.find() ? type.group(1) : "";
  }

  /** Whether the Javadoc of the public type has an example before its second paragraph. */
  static boolean beginsWithExample(String text) {
    Matcher type = TYPE.matcher(text);
    String before = type.find() ? text.substring(0, type.start()) : "";
    String doc = before.substring(Math.max(0, before.lastIndexOf("/**")));
    int example = doc.indexOf("<pre>{@code");
    int paragraph = doc.indexOf("<p>");
    return example >= 0 && (paragraph < 0 || example < paragraph);
  }

  /** Adds all examples of one file. */
  void add(Path file, String text) {
    Matcher example = EXAMPLE.matcher(text);
    for (int number = 1; example.find(); number++) {
      String name = file.getFileName().toString().replaceAll("\\W", "_") + number;
      add(name, MARGIN.matcher(example.group(1)).replaceAll(""));
    }
  }

  void add(String name, String code) {
    classes.put(name, AROUND.formatted(name, code));
  }

  int count() {
    return classes.size();
  }

  /** Compiles all; the errors, each with the example it is in. */
  List<String> errors() {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<JavaFileObject> sources = new ArrayList<>();
    classes.forEach((name, code) -> sources.add(new Source(name, code)));
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> options =
        List.of("-proc:none", "-implicit:none", "-cp", classPath, "-Xdiags:verbose");
    List<String> analyzed = new ArrayList<>(options);
    analyzed.addAll(
        List.of(
            "-XDshould-stop.ifNoError=FLOW", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1000"));
    compiler.getTask(null, null, found, analyzed, null, sources).call();
    return found.getDiagnostics().stream()
        .filter(it -> it.getKind() == Diagnostic.Kind.ERROR)
        .map(
            it ->
                (it.getSource() == null ? "" : it.getSource().getName())
                    + ": "
                    + it.getMessage(null))
        .toList();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(String name, String code) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}
