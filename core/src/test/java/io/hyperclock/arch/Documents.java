/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown pages of the project and what is wrong with their links. */
final class Documents {
  private static final Pattern CODE_BLOCK =
      Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*?)[ \t]*$");
  private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules");

  private Documents() {}

  /** All pages below a directory, but for what builds leave there. */
  static List<Path> pages(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> isOurs(root.relativize(file)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOurs(Path file) {
    for (Path part : file) {
      if (NOT_OURS.contains(part.toString())) {
        return false;
      }
    }
    return true;
  }

  static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Links to files or headings that are not there, each as {@code page: link}. */
  static List<String> brokenLinks(Path root) {
    List<String> broken = new ArrayList<>();
    for (Path page : pages(root)) {
      String text = CODE.matcher(CODE_BLOCK.matcher(read(page)).replaceAll("")).replaceAll("``");
      Matcher link = LINK.matcher(text);
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains("://") && !target.startsWith("mailto:") && !leads(page, target)) {
          broken.add(root.relativize(page) + ": " + target);
        }
      }
    }
    return broken;
  }

  private static boolean leads(Path page, String target) {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path found = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(found)) {
      return false;
    }
    return hash < 0 || anchors(read(found)).contains(target.substring(hash + 1));
  }

  /** The anchors that GitHub gives to the headings of a page. */
  static Set<String> anchors(String markdown) {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    Matcher heading = HEADING.matcher(CODE_BLOCK.matcher(markdown).replaceAll(""));
    while (heading.find()) {
      String anchor =
          heading
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      int before = seen.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    return anchors;
  }
}
