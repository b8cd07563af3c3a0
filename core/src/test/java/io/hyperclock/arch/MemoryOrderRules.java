/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What every access with a memory order must say: the edge it belongs to, such as {@code
 * [publish]}, or why a weaker order is enough, in a comment that starts with {@code Opaque:} or
 * {@code Plain:}.
 *
 * <p>A method that is named as the access that it makes is such an access itself: not it but its
 * callers must say so.
 */
final class MemoryOrderRules {
  private static final int LINES_ABOVE = 3;

  private static final Pattern DECLARATION =
      Pattern.compile("\\bVarHandle(?:\\s+|\\s*\\[\\s*\\]\\s*)(\\w+)\\s*[=;,):]");
  private static final String ACCESS =
      "get|set|(?:get|set)(?:Opaque|Volatile)|getAcquire|setRelease"
          + "|(?:compareAndSet|weakCompareAndSet|compareAndExchange|getAndSet|getAndAdd|getAndBitwise)\\w*";
  private static final String FENCE = "(?:acquire|release|full|loadLoad|storeStore)Fence";
  private static final Pattern CALL =
      Pattern.compile("\\b(\\w+)\\s*\\.\\s*(" + ACCESS + "|" + FENCE + ")\\s*\\(");

  /** A call of a method of the same class that is named as an access. */
  private static final Pattern OWN_CALL =
      Pattern.compile(
          "(?<![.\\w])(?<!\\b(?:long|void|boolean) )((?:get|set)(?:Opaque|Volatile)|getAcquire"
              + "|setRelease|compareAndSet|getAndSet|getAndAdd)\\s*\\(");

  private static final Pattern EDGE = Pattern.compile("\\[(" + MemoryOrderDoc.NAMES + ")\\]");
  private static final Pattern WEAKER =
      Pattern.compile("(?m)^[ \\t]*(?://|/\\*\\*?|\\*)?[ \\t]*(?:<p>)?(?:Opaque|Plain):");

  private MemoryOrderRules() {}

  /** Names of the variables that hold a VarHandle in any of the sources. */
  static Set<String> varHandles(List<JavaSource> sources) {
    Set<String> names = new TreeSet<>();
    for (JavaSource source : sources) {
      Matcher declaration = DECLARATION.matcher(source.code());
      while (declaration.find()) {
        names.add(declaration.group(1));
      }
    }
    return names;
  }

  /**
   * The accesses that say nothing about their order, as {@code File.java:line: META.getAcquire}.
   */
  static List<String> uncommented(List<JavaSource> sources) {
    Set<String> handles = varHandles(sources);
    List<String> found = new ArrayList<>();
    for (JavaSource source : sources) {
      Matcher call = CALL.matcher(source.code());
      while (call.find()) {
        if (passesOn(source, call.start(), call.group(2))) {
          continue;
        }
        boolean fence = call.group(1).equals("VarHandle") && call.group(2).endsWith("Fence");
        if ((fence || handles.contains(call.group(1))) && !isCommented(source, call.start())) {
          int line = source.lineOf(call.start());
          found.add(source.name() + ":" + line + ": " + call.group(1) + "." + call.group(2));
        }
      }
      Matcher own = OWN_CALL.matcher(source.code());
      while (own.find()) {
        if (!isCommented(source, own.start())) {
          found.add(source.name() + ":" + source.lineOf(own.start()) + ": " + own.group(1));
        }
      }
    }
    return found;
  }

  /** Whether the access is made by a method of its name. */
  private static boolean passesOn(JavaSource source, int offset, String access) {
    String before = source.code().substring(0, offset);
    int body = before.lastIndexOf(" {\n");
    return body >= 0
        && before.lastIndexOf('}') < body
        && Pattern.compile("\\b" + access + "\\([^()]*\\)$")
            .matcher(before.substring(0, body))
            .find();
  }

  /** The edges named in comments, each with the files that name it. */
  static TreeMap<String, Set<String>> edgesUsed(List<JavaSource> sources) {
    TreeMap<String, Set<String>> edges = new TreeMap<>();
    for (JavaSource source : sources) {
      for (JavaSource.Comment comment : source.comments()) {
        Matcher edge = EDGE.matcher(comment.text());
        while (edge.find()) {
          edges.computeIfAbsent(edge.group(1), name -> new LinkedHashSet<>()).add(source.name());
        }
      }
    }
    return edges;
  }

  private static boolean isCommented(JavaSource source, int offset) {
    int line = source.lineOf(offset);
    return source.commentsOnLines(line - LINES_ABOVE, line).stream()
            .anyMatch(comment -> saysOrder(comment.text()))
        || saysOrder(source.javadocOfMemberAround(offset));
  }

  private static boolean saysOrder(String comment) {
    return EDGE.matcher(comment).find() || WEAKER.matcher(comment).find();
  }
}
