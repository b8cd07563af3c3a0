/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Lays the artifacts of one module out as Maven Central wants them in a bundle, with checksums and,
 * if a key is named, signatures, and checks what Central would refuse. Each module adds its part, so
 * the bundle is whole after the last.
 *
 * <p>Arguments: {@code OUT BUILD GROUP ARTIFACT VERSION} writes {@code OUT/central} and {@code
 * OUT/central.zip} from the build directory BUILD; {@code check DIR} checks a directory that is laid
 * out already. Environment: {@code CENTRAL_KEY} names the key; {@code CENTRAL_STRICT=true} asks for
 * what only a release has: a version that is no snapshot, and signatures; {@code
 * CENTRAL_CLASSIFIERS} names classifiers of more jars of the module, separated by commas.
 */
public final class CentralBundle {
  private static final Map<String, String> CHECKSUMS =
      Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");
  private static final List<String> CLASSIFIERS = List.of("-sources", "-javadoc");
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

  private final boolean strict = "true".equals(System.getenv("CENTRAL_STRICT"));
  private final List<String> errors = new ArrayList<>();
  private final List<String> unsigned = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Exits with 1 if Central would refuse what is there. */
  public static void main(String[] args) throws Exception {
    CentralBundle bundle = new CentralBundle();
    if (args.length == 2 && args[0].equals("check")) {
      Path root = Path.of(args[1]);
      bundle.check(root, filesBelow(root));
    } else {
      Path root = Path.of(args[0], "central");
      Path module = root.resolve(args[2].replace('.', '/')).resolve(args[3]);
      bundle.stage(root, module, Path.of(args[1]), args[3], args[4]);
      bundle.check(root, filesBelow(module));
    }
    bundle.notes.forEach(note -> System.out.println("note: " + note));
    bundle.errors.forEach(error -> System.out.println("error: " + error));
    if (!bundle.errors.isEmpty()) {
      System.exit(1);
    }
  }

  private void stage(Path root, Path module, Path build, String artifact, String version)
      throws Exception {
    Path dir = module.resolve(version);
    String name = artifact + "-" + version;
    List<Path> files = new ArrayList<>();
    Path pom = build.resolve(".flattened-pom.xml");
    if (Files.exists(build.resolve(name + ".jar"))) {
      deleteTree(module);
      Files.createDirectories(dir);
      files.add(copy(pom, dir.resolve(name + ".pom")));
      files.add(copy(build.resolve(name + ".jar"), dir));
      for (String classifier : CLASSIFIERS) {
        files.add(copy(build.resolve(name + classifier + ".jar"), dir));
      }
      for (String classifier : moreClassifiers()) {
        files.add(copy(build.resolve(name + "-" + classifier + ".jar"), dir));
      }
      files.add(copy(build.resolve(name + "-cyclonedx.json"), dir));
    } else {
      // A build for another version of a library, with a classifier; it joins the main one.
      try (Stream<Path> jars = Files.list(build)) {
        for (Path jar : jars.filter(CentralBundle::isMainJar).toList()) {
          Files.createDirectories(dir);
          files.add(copy(jar, dir));
        }
      }
    }
    for (Path file : files) {
      addChecksums(file);
      sign(file);
    }
    zip(root, root.resolveSibling("central.zip"));
  }

  private static List<String> moreClassifiers() {
    String more = System.getenv("CENTRAL_CLASSIFIERS");
    return more == null || more.isBlank() ? List.of() : List.of(more.split(","));
  }

  private static boolean isMainJar(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".jar")
        && CLASSIFIERS.stream().noneMatch(classifier -> name.endsWith(classifier + ".jar"))
        && !name.endsWith("-tests.jar");
  }

  private static Path copy(Path from, Path to) throws IOException {
    Path target = Files.isDirectory(to) ? to.resolve(from.getFileName()) : to;
    return Files.copy(from, target, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void addChecksums(Path file) throws Exception {
    for (Map.Entry<String, String> sum : CHECKSUMS.entrySet()) {
      Files.writeString(beside(file, sum.getKey()), digest(file, sum.getValue()));
    }
  }

  private static void sign(Path file) throws Exception {
    String key = System.getenv("CENTRAL_KEY");
    if (key == null || key.isBlank()) {
      return;
    }
    Path signature = beside(file, "asc");
    Files.deleteIfExists(signature);
    Process gpg =
        new ProcessBuilder(
                "gpg", "--batch", "--armor", "--local-user", key, "--detach-sign", file.toString())
            .inheritIO()
            .start();
    if (gpg.waitFor() != 0) {
      throw new IOException("gpg could not sign " + file);
    }
  }

  private static Path beside(Path file, String extension) {
    return file.resolveSibling(file.getFileName() + "." + extension);
  }

  private static String digest(Path file, String algorithm) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
  }

  /** The same files give the same bytes: names are sorted and times are fixed. */
  private static void zip(Path root, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Path path : filesBelow(root)) {
        ZipEntry entry = new ZipEntry(root.relativize(path).toString().replace('\\', '/'));
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        Files.copy(path, zip);
        zip.closeEntry();
      }
    }
  }

  private static List<Path> filesBelow(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void deleteTree(Path root) throws IOException {
    if (Files.exists(root)) {
      try (Stream<Path> paths = Files.walk(root)) {
        for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private void check(Path root, List<Path> files) throws Exception {
    List<Path> poms = files.stream().filter(file -> file.toString().endsWith(".pom")).toList();
    require(!poms.isEmpty(), "there is no POM in " + root);
    for (Path pom : poms) {
      checkPom(root, pom);
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.matches(".*\\.(pom|jar|json)")) {
        checkSums(file);
      }
    }
    requireOfRelease(unsigned.isEmpty(), "not signed: " + unsigned);
  }

  private void checkSums(Path file) throws Exception {
    for (Map.Entry<String, String> sum : CHECKSUMS.entrySet()) {
      Path beside = beside(file, sum.getKey());
      require(
          Files.exists(beside) && Files.readString(beside).equals(digest(file, sum.getValue())),
          "checksum is missing or wrong: " + beside.getFileName());
    }
    Path signature = beside(file, "asc");
    if (!Files.exists(signature)) {
      unsigned.add(file.getFileName().toString());
      return;
    }
    Process gpg =
        new ProcessBuilder("gpg", "--batch", "--verify", signature.toString(), file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    require(gpg.waitFor() == 0, "signature is wrong: " + signature.getFileName());
  }

  private void checkPom(Path root, Path file) throws Exception {
    Document document;
    try (InputStream in = Files.newInputStream(file)) {
      document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    }
    Element project = document.getDocumentElement();
    String where = file.getFileName() + ": ";
    for (String path :
        List.of(
            "groupId",
            "artifactId",
            "version",
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url")) {
      String value = text(project, path);
      require(!value.isBlank(), where + path + " is missing");
      require(!value.contains("${"), where + path + " has an unknown property: " + value);
    }
    require(text(project, "parent/artifactId").isEmpty(), where + "has a parent");
    String artifact = text(project, "artifactId");
    String version = text(project, "version");
    Path expected =
        root.resolve(text(project, "groupId").replace('.', '/')).resolve(artifact).resolve(version);
    String name = artifact + "-" + version;
    require(file.equals(expected.resolve(name + ".pom")), where + "is not in " + expected);
    requireOfRelease(!version.endsWith("-SNAPSHOT"), where + "version is a snapshot: " + version);
    checkDependencies(project, where, version);
    require(isJarWith(file.resolveSibling(name + ".jar"), ".class"), where + "no jar of classes");
    require(
        isJarWith(file.resolveSibling(name + "-sources.jar"), ".java"), where + "no jar of sources");
    require(
        isJarWith(file.resolveSibling(name + "-javadoc.jar"), "index.html"), where + "no Javadoc");
    Path bom = file.resolveSibling(name + "-cyclonedx.json");
    require(
        Files.exists(bom) && Files.readString(bom).contains("\"bomFormat\" : \"CycloneDX\""),
        where + "no bill of materials");
  }

  private void checkDependencies(Element project, String where, String version) {
    List<Element> all = elements(project, "dependencies");
    List<Element> dependencies = all.isEmpty() ? List.of() : elements(all.get(0), "dependency");
    for (Element dependency : dependencies) {
      String id = text(dependency, "groupId") + ":" + text(dependency, "artifactId");
      String wanted = text(dependency, "version");
      require(!wanted.isBlank(), where + "no version of " + id);
      require(!wanted.matches(".*[\\[(,].*|LATEST|RELEASE"), where + "a range of versions of " + id);
      require(
          !wanted.endsWith("-SNAPSHOT") || version.endsWith("-SNAPSHOT"),
          where + "depends on a snapshot of " + id);
      require(!text(dependency, "scope").equals("system"), where + "system scope of " + id);
      require(!text(dependency, "scope").equals("test"), where + "test scope of " + id);
    }
    require(elements(project, "repositories").isEmpty(), where + "names repositories");
  }

  private static boolean isJarWith(Path file, String ending) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream().anyMatch(entry -> entry.getName().endsWith(ending))
          && (!ending.equals(".class") || jar.getEntry("META-INF/LICENSE") != null);
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private static String text(Element element, String path) {
    Element current = element;
    for (String name : path.split("/")) {
      List<Element> found = elements(current, name);
      if (found.isEmpty()) {
        return "";
      }
      current = found.get(0);
    }
    return current.getTextContent().trim();
  }

  private static List<Element> elements(Element element, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child && child.getTagName().equals(name)) {
        found.add(child);
      }
    }
    return found;
  }

  private void require(boolean holds, String error) {
    if (!holds) {
      errors.add(error);
    }
  }

  private void requireOfRelease(boolean holds, String error) {
    if (!holds) {
      (strict ? errors : notes).add(error);
    }
  }
}
