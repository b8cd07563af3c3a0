/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prepares the Markdown pages of the project for the site plugin, and checks what it made of them.
 *
 * <p>{@code prepare PROJECT OUT URL} copies the pages to {@code OUT/markdown}, the pictures that they
 * show to {@code OUT/resources}, and the menu. Links between pages lead to the rendered pages then, links to
 * sources to the repository at the URL; each heading has the anchor that it has there. {@code check
 * SITE} exits with status 1 and a list if a link within the site leads nowhere.
 */
public final class SitePages {
  private static final Pattern CODE_BLOCK =
      Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("(\\]\\()([^)\\s]+)(\\))");
  private static final Pattern HEADING = Pattern.compile("(?m)^(#+ +)(.*?)[ \t]*$");
  private static final Pattern COMMENT = Pattern.compile("(?m)^<!--.*?-->\n");
  private static final Pattern ABSOLUTE = Pattern.compile("[a-z]+:.*");
  private static final Set<String> NOT_OURS = Set.of("target", ".git", ".github", "node_modules");
  private static final Set<String> SHOWN = Set.of("svg", "png");

  private static final Pattern REFERENCE =
      Pattern.compile("<[^<>!]*?\\s(?:href|src)=\"([^\"]*)\"", Pattern.CASE_INSENSITIVE);
  private static final Pattern ID = Pattern.compile("\\s(?:id|name)=\"([^\"]*)\"");
  private static final Pattern UNCHECKED =
      Pattern.compile("<script.*?</script>|<!--.*?-->", Pattern.DOTALL);

  private final Path project;
  private final Path out;
  private final String url;
  private final Set<Path> pictures = new TreeSet<>();

  private SitePages(Path project, Path out, String url) {
    this.project = project;
    this.out = out;
    this.url = url;
  }

  /**
   * Prepares or checks.
   *
   * @param args see above
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    if (args[0].equals("prepare")) {
      new SitePages(Path.of(args[1]).toAbsolutePath().normalize(), Path.of(args[2]), args[3])
          .prepare();
      return;
    }
    List<String> broken = broken(Path.of(args[1]).toAbsolutePath().normalize());
    broken.forEach(link -> System.err.println("broken link: " + link));
    if (!broken.isEmpty()) {
      System.exit(1);
    }
  }

  private void prepare() throws IOException {
    for (Path page : pages()) {
      Path target = out.resolve("markdown").resolve(rendered(page, "md"));
      Files.createDirectories(target.getParent());
      Files.writeString(target, converted(page));
    }
    Files.copy(
        project.resolve(".ci/site/site.xml"),
        out.resolve("site.xml"),
        StandardCopyOption.REPLACE_EXISTING);
    for (Path picture : pictures) {
      Path target = out.resolve("resources").resolve(picture);
      Files.createDirectories(target.getParent());
      Files.copy(project.resolve(picture), target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(project)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .map(project::relativize)
          .filter(SitePages::isOurs)
          .sorted()
          .toList();
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

  /** Where a page goes: the README of the project is the first page of the site. */
  private static Path rendered(Path page, String extension) {
    String name = page.toString().equals("README.md") ? "index.md" : page.toString();
    return Path.of(name.substring(0, name.length() - 2) + extension);
  }

  private String converted(Path page) throws IOException {
    String text = COMMENT.matcher(Files.readString(project.resolve(page))).replaceAll("");
    StringBuilder result = new StringBuilder();
    Map<String, Integer> anchors = new HashMap<>();
    Matcher block = CODE_BLOCK.matcher(text);
    int from = 0;
    while (block.find()) {
      result.append(prose(page, text.substring(from, block.start()), anchors));
      result.append(block.group());
      from = block.end();
    }
    return result.append(prose(page, text.substring(from), anchors)).toString();
  }

  private String prose(Path page, String text, Map<String, Integer> anchors) {
    String anchored =
        HEADING
            .matcher(text)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        found.group(1)
                            + "<a id=\""
                            + anchor(found.group(2), anchors)
                            + "\"></a>"
                            + found.group(2)));
    StringBuilder result = new StringBuilder();
    Matcher code = CODE.matcher(anchored);
    int from = 0;
    // A link's text may have code in it, so code cannot be cut out: its links are passed.
    List<int[]> codes = new ArrayList<>();
    while (code.find()) {
      codes.add(new int[] {code.start(), code.end()});
    }
    Matcher link = LINK.matcher(anchored);
    while (link.find()) {
      int at = link.start(2);
      if (codes.stream().noneMatch(each -> each[0] < at && at < each[1])) {
        result.append(anchored, from, at).append(target(page, link.group(2)));
        from = link.end(2);
      }
    }
    return result.append(anchored.substring(from)).toString();
  }

  private String target(Path page, String link) {
    if (ABSOLUTE.matcher(link).matches() || link.startsWith("#")) {
      return link;
    }
    int hash = link.indexOf('#');
    String anchor = hash < 0 ? "" : link.substring(hash);
    Path file = project.resolve(page).resolveSibling(hash < 0 ? link : link.substring(0, hash));
    Path found = project.relativize(file.normalize());
    String name = found.toString().replace('\\', '/');
    if (Files.isDirectory(file)) {
      return url + "/tree/HEAD/" + name;
    }
    if (SHOWN.contains(name.substring(name.lastIndexOf('.') + 1))) {
      pictures.add(found);
      return link;
    }
    if (!name.endsWith(".md") || !isOurs(found)) {
      return url + "/blob/HEAD/" + name + anchor;
    }
    Path folder = page.getParent() == null ? Path.of("") : page.getParent();
    return folder.relativize(rendered(found, "html")).toString().replace('\\', '/') + anchor;
  }

  private static String anchor(String heading, Map<String, Integer> anchors) {
    String anchor =
        heading
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N} _-]", "")
            .replace(' ', '-');
    int before = anchors.merge(anchor, 1, Integer::sum) - 1;
    return before == 0 ? anchor : anchor + "-" + before;
  }

  private static List<String> broken(Path site) throws IOException {
    List<Path> pages;
    try (Stream<Path> files = Files.walk(site)) {
      pages = files.filter(file -> file.toString().endsWith(".html")).sorted().toList();
    }
    if (pages.size() < 50) {
      return List.of("only " + pages.size() + " pages in " + site);
    }
    Map<Path, Set<String>> ids = new HashMap<>();
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      Matcher reference = REFERENCE.matcher(text(page));
      Set<String> seen = new HashSet<>();
      while (reference.find()) {
        String link = reference.group(1).replace("&amp;", "&");
        if (seen.add(link) && !leads(page, link, ids)) {
          broken.add(site.relativize(page) + ": " + link);
        }
      }
    }
    return broken;
  }

  private static boolean leads(Path page, String link, Map<Path, Set<String>> ids)
      throws IOException {
    if (link.isEmpty() || link.startsWith("//") || ABSOLUTE.matcher(link).matches()) {
      return true;
    }
    int hash = link.indexOf('#');
    String name = (hash < 0 ? link : link.substring(0, hash)).replaceAll("\\?.*", "");
    Path file = name.isEmpty() ? page : page.resolveSibling(decoded(name)).normalize();
    if (Files.isDirectory(file)) {
      file = file.resolve("index.html");
    }
    if (!Files.exists(file)) {
      return false;
    }
    String anchor = hash < 0 ? "" : decoded(link.substring(hash + 1));
    if (anchor.isEmpty() || !file.toString().endsWith(".html")) {
      return true;
    }
    Set<String> there = ids.get(file);
    if (there == null) {
      there = new HashSet<>();
      Matcher id = ID.matcher(text(file));
      while (id.find()) {
        there.add(id.group(1).replace("&lt;", "<").replace("&gt;", ">"));
      }
      ids.put(file, there);
    }
    return there.contains(anchor);
  }

  private static String text(Path page) throws IOException {
    return UNCHECKED.matcher(Files.readString(page)).replaceAll("");
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
