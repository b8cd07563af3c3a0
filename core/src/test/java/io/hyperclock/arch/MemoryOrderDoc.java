/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The edges a Markdown text defines, each with the stress classes it names in backticks. An edge is
 * defined by a heading or by a table row that begins with its name; to a heading belongs all that
 * follows up to the next one of the same or a higher level.
 */
final class MemoryOrderDoc {
  private static final Pattern HEADING = Pattern.compile("^(#+)\\s+(.*)$");

  /** The names that an edge can have. */
  static final String NAMES =
      "publish|last-use|reuse|validate|hide|tag|sum|pointer|two-versions|one-entry|scope|exchange"
          + "|start|move|forward|view|stamp";

  private static final Pattern EDGE_NAME = Pattern.compile("^[\\s*|\\[]*`(" + NAMES + ")`.*");
  private static final Pattern STRESS_CLASS =
      Pattern.compile("`(?:\\w+[./])*(\\w+Stress)(?:\\.java)?`");

  private MemoryOrderDoc() {}

  static TreeMap<String, Set<String>> stressClassesByEdge(String markdown) {
    TreeMap<String, Set<String>> edges = new TreeMap<>();
    String section = "";
    int sectionLevel = 0;
    for (String line : markdown.split("\n")) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        Matcher edge = EDGE_NAME.matcher(heading.group(2));
        int level = heading.group(1).length();
        if (edge.matches()) {
          section = edge.group(1);
          sectionLevel = level;
        } else if (level <= sectionLevel) {
          section = "";
        }
      }
      Matcher row = EDGE_NAME.matcher(line);
      String owner = line.startsWith("|") && row.matches() ? row.group(1) : section;
      if (!owner.isEmpty()) {
        edges.computeIfAbsent(owner, name -> new TreeSet<>()).addAll(stressClasses(line));
      }
    }
    return edges;
  }

  /** Every stress class a text names in backticks. */
  static Set<String> stressClasses(String markdown) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = STRESS_CLASS.matcher(markdown);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }
}
