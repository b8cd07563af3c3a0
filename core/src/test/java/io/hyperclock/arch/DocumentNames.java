/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names in backticks on a page that no source has. */
final class DocumentNames {
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern TYPE = Pattern.compile("[A-Z]\\w*[a-z]\\w*");
  private static final Pattern MEMBER =
      Pattern.compile("([A-Z]\\w*[a-z]\\w*)\\.(\\w+)(?:\\([^()]*\\))?");
  private static final Pattern METHOD = Pattern.compile("([a-z]+[A-Z]\\w*)(?:\\([^()]*\\))?");
  private static final Pattern PACKAGE = Pattern.compile("(?:io\\.hyperclock|internal)\\.[a-z.]+");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|enum|record|@interface)\\s+(\\w+)");
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final List<String> PLATFORM =
      List.of(
          "java.io.",
          "java.lang.",
          "java.lang.invoke.",
          "java.lang.ref.",
          "java.util.",
          "java.util.concurrent.");

  /** Names of Lettuce, of Maven, and of a field of a file. */
  private static final Set<String> FOREIGN =
      Set.of("DisconnectedBehavior.REJECT_COMMANDS", "dependencyManagement", "payloadCrc");

  private static final Set<String> VAR_HANDLE =
      Stream.of(VarHandle.class.getMethods()).map(Method::getName).collect(Collectors.toSet());

  private final Map<String, Set<String>> wordsByType = new HashMap<>();
  private final Set<String> words = new HashSet<>();
  private final Set<String> packages = new HashSet<>();

  DocumentNames(List<JavaSource> sources) {
    for (JavaSource source : sources) {
      Set<String> inFile = new HashSet<>();
      Matcher word = WORD.matcher(source.code());
      while (word.find()) {
        inFile.add(word.group());
      }
      words.addAll(inFile);
      packages.add(source.packageName());
      Matcher declared = DECLARED.matcher(source.code());
      while (declared.find()) {
        wordsByType.computeIfAbsent(declared.group(1), type -> new HashSet<>()).addAll(inFile);
      }
    }
  }

  /** The names on a page that are in no source, each once. */
  List<String> unknown(String markdown) {
    List<String> unknown = new ArrayList<>();
    Matcher code = CODE.matcher(markdown);
    while (code.find()) {
      String name = code.group(1);
      if (!isKnown(name) && !unknown.contains(name)) {
        unknown.add(name);
      }
    }
    return unknown;
  }

  /** Whether a name is in the sources, or is none: an expression, a file, a plain word. */
  private boolean isKnown(String name) {
    if (FOREIGN.contains(name)) {
      return true;
    }
    if (TYPE.matcher(name).matches()) {
      return wordsByType.containsKey(name) || isOfThePlatform(name);
    }
    Matcher member = MEMBER.matcher(name);
    if (member.matches()) {
      Set<String> inFile = wordsByType.get(member.group(1));
      return inFile == null ? isOfThePlatform(member.group(1)) : inFile.contains(member.group(2));
    }
    Matcher method = METHOD.matcher(name);
    if (method.matches()) {
      return words.contains(method.group(1)) || VAR_HANDLE.contains(method.group(1));
    }
    if (PACKAGE.matcher(name).matches()) {
      return packages.stream()
          .anyMatch(it -> (it + ".").endsWith("." + name + ".") || it.equals(name));
    }
    return true;
  }

  private static boolean isOfThePlatform(String type) {
    return PLATFORM.stream().anyMatch(prefix -> exists(prefix + type));
  }

  private static boolean exists(String type) {
    try {
      Class.forName(type, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
