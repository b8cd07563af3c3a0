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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The text of one Java file taken apart into code and comments. {@link #code()} is as long as the
 * file, with comments, strings and characters blanked out, so that offsets and lines agree.
 */
final class JavaSource {
  /** One comment, or a run of line comments on consecutive lines. */
  record Comment(int start, int end, String text) {
    boolean isJavadoc() {
      return text.startsWith("/**");
    }
  }

  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\\n]*"
              + "|/\\*.*?\\*/"
              + "|\"\"\".*?(?<!\\\\)\"\"\""
              + "|\"(?:\\\\.|[^\"\\\\\\n])*\""
              + "|'(?:\\\\.|[^'\\\\\\n])+'",
          Pattern.DOTALL);
  private static final Pattern PACKAGE =
      Pattern.compile("^package\\s+([\\w.]+)\\s*;", Pattern.MULTILINE);
  private static final Pattern TYPE_HEADER =
      Pattern.compile("\\b(?:class|interface|enum|record)\\s+\\w+|\\bnew\\b[^;=]*\\)\\s*$");

  private final String name;
  private final String code;
  private final List<Comment> comments = new ArrayList<>();
  private final List<Integer> lineStarts = new ArrayList<>();

  JavaSource(String name, String text) {
    this.name = name;
    StringBuilder blanked = new StringBuilder(text);
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      for (int i = token.start(); i < token.end(); i++) {
        if (text.charAt(i) != '\n') {
          blanked.setCharAt(i, ' ');
        }
      }
      if (token.group().startsWith("/")) {
        addComment(text, token.start(), token.end());
      }
    }
    this.code = blanked.toString();
    lineStarts.add(0);
    for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
      lineStarts.add(i + 1);
    }
  }

  /** All Java files below a directory; none if there is no such directory. */
  static List<JavaSource> allBelow(Path dir) {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(dir)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .map(file -> read(dir, file))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JavaSource read(Path dir, Path file) {
    try {
      return new JavaSource(
          dir.relativize(file).toString().replace('\\', '/'), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return name;
  }

  String code() {
    return code;
  }

  List<Comment> comments() {
    return comments;
  }

  String packageName() {
    Matcher matcher = PACKAGE.matcher(code);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** Number of the line that holds an offset, from 1. */
  int lineOf(int offset) {
    int line = lineStarts.size();
    while (lineStarts.get(line - 1) > offset) {
      line--;
    }
    return line;
  }

  /** The comments of which some part stands on one of the lines. */
  List<Comment> commentsOnLines(int first, int last) {
    return comments.stream()
        .filter(c -> lineOf(c.end() - 1) >= first && lineOf(c.start()) <= last)
        .toList();
  }

  /** The Javadoc of the method (or field, or initializer) around an offset; "" if it has none. */
  String javadocOfMemberAround(int offset) {
    int body = bodyOfMemberAround(offset);
    String found = "";
    for (Comment comment : comments) {
      if (comment.end() > body) {
        break;
      }
      if (comment.isJavadoc() && isOneHeader(code.substring(comment.end(), body))) {
        found = comment.text();
      }
    }
    return found;
  }

  private int bodyOfMemberAround(int offset) {
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < offset; i++) {
      if (code.charAt(i) == '{') {
        open.add(i);
      } else if (code.charAt(i) == '}') {
        open.remove(open.size() - 1);
      }
    }
    int member = offset;
    for (int i = open.size() - 1; i >= 0 && !opensType(open.get(i)); i--) {
      member = open.get(i);
    }
    return member;
  }

  private boolean opensType(int brace) {
    int start = brace;
    while (start > 0 && ";{}".indexOf(code.charAt(start - 1)) < 0) {
      start--;
    }
    return TYPE_HEADER.matcher(code.substring(start, brace)).find();
  }

  /** Whether nothing but one member's header (annotations, modifiers, name, parameters) is here. */
  private static boolean isOneHeader(String between) {
    String withoutParentheses = between.replaceAll("\\([^()]*\\)", "");
    return withoutParentheses.indexOf(';') < 0
        && withoutParentheses.indexOf('}') < 0
        && withoutParentheses.indexOf('{') < 0;
  }

  private void addComment(String text, int start, int end) {
    if (!comments.isEmpty() && text.startsWith("//", start)) {
      Comment last = comments.get(comments.size() - 1);
      String between = text.substring(last.end(), start);
      if (last.text().startsWith("//") && between.matches("\\n[ \\t]*")) {
        comments.remove(comments.size() - 1);
        comments.add(new Comment(last.start(), end, text.substring(last.start(), end)));
        return;
      }
    }
    comments.add(new Comment(start, end, text.substring(start, end)));
  }
}
