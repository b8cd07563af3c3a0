/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** P8: what is not the tier's is refused at once, and left as it was. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class RefusedFilesTest {
  private static final List<String> NAMES = List.of("data", "index.snap", "index.snap.tmp");
  private static final String TEXT = "#!/bin/sh\necho something else\n";

  @TempDir private Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  private void openAndClose(Path where) {
    Rig.open(where).close();
    writers.awaitEnd();
  }

  private void assertRefused(String name, String rule, String value) throws IOException {
    List<Path> before = listed();
    assertThatThrownBy(() -> Rig.open(directory))
        .as(name)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("file must " + rule)
        .hasMessageContaining("file=" + directory.toRealPath().resolve(name))
        .hasMessageContaining(value);
    assertThat(listed()).as("nothing made, nothing taken away").isEqualTo(before);
  }

  private List<Path> listed() throws IOException {
    try (var files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  @Test
  void symbolicLinks() throws IOException {
    Path target = Files.writeString(directory.resolve("precious"), TEXT);
    for (String name : NAMES) {
      for (Path to : List.of(target, directory.resolve("not there"), Path.of("/dev/null"))) {
        Path link = Files.createSymbolicLink(directory.resolve(name), to);
        assertRefused(name, "be a regular file", "type=symbolic link");
        assertThat(Files.readSymbolicLink(link)).isEqualTo(to);
        Files.delete(link);
      }
    }
    assertThat(target).hasContent(TEXT);
    assertThat(directory.resolve("not there")).doesNotExist();
    openAndClose(directory);
  }

  /** Not even to files that are the tier's by their content. */
  @Test
  void symbolicLinkToDataOfAnotherTier() throws IOException {
    Path other = directory.resolve("other");
    openAndClose(other);
    byte[] content = Files.readAllBytes(other.resolve("data"));
    Files.createSymbolicLink(directory.resolve("data"), other.resolve("data"));
    assertRefused("data", "be a regular file", "type=symbolic link");
    assertThat(other.resolve("data")).hasBinaryContent(content);
  }

  @Test
  void directories() throws IOException {
    for (String name : NAMES) {
      Path odd = Files.createDirectory(directory.resolve(name));
      assertRefused(name, "be a regular file", "type=directory");
      assertThat(odd).isEmptyDirectory();
      Files.delete(odd);
    }
  }

  /** Opening one to read, or to write, waits for whom is at its other end. */
  @Test
  void namedPipes() throws Exception {
    for (String name : NAMES) {
      Path pipe = directory.resolve(name);
      assumeThat(makePipe(pipe)).as("named pipes can be made").isTrue();
      assertRefused(name, "be a regular file", "type=other");
      Files.delete(pipe);
    }
    Path lock = directory.resolve("lock");
    assertThat(makePipe(lock)).isTrue();
    openAndClose(directory);
    assertThat(Files.readAttributes(lock, "isOther", LinkOption.NOFOLLOW_LINKS))
        .containsEntry("isOther", true);
  }

  private static boolean makePipe(Path path) throws InterruptedException {
    try {
      Process process = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
      return process.waitFor(TierTestLimits.SECONDS, SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void foreignContent() throws IOException {
    byte[] noise = new byte[100_000];
    new Random(1).nextBytes(noise);
    byte[] zerosFirst = new byte[10_000];
    Arrays.fill(zerosFirst, 1024, 2048, (byte) 1);
    List<byte[]> foreign = List.of(noise, zerosFirst, TEXT.getBytes(), new byte[] {'H', 'D'});
    for (String name : NAMES) {
      for (byte[] content : foreign) {
        Path file = Files.write(directory.resolve(name), content);
        assertRefused(name, "be empty or begin with HC", "begins=");
        assertThat(file).hasBinaryContent(content);
        Files.delete(file);
      }
    }
  }

  /** The file of a tier under the name of another one. */
  @Test
  void theOneInPlaceOfTheOther() throws IOException {
    openAndClose(directory);
    Path data = directory.resolve("data");
    byte[] content = Files.readAllBytes(data);
    Files.write(directory.resolve("index.snap"), content);
    assertRefused("index.snap", "be empty or begin with HCSNAP", "begins=48 43 44 41");
    assertThat(directory.resolve("index.snap")).hasBinaryContent(content);
  }

  /** What a crash may leave of the tier's own files. */
  @Test
  void whatACrashLeavesIsTaken() throws IOException {
    for (String name : NAMES) {
      for (int length : new int[] {0, 1, 8, 4_096, 50_000}) {
        Files.write(directory.resolve(name), new byte[length]);
        openAndClose(directory);
      }
      Files.write(directory.resolve(name), new byte[] {'H', 'C'});
      openAndClose(directory);
    }
    assertThat(directory.resolve("index.snap.tmp")).doesNotExist();
  }

  /** A hard link to a foreign file is told by its content. */
  @Test
  void hardLinks() throws IOException {
    Path target = Files.writeString(directory.resolve("precious"), TEXT);
    Files.createLink(directory.resolve("data"), target);
    assertRefused("data", "be empty or begin with HCDATA", "begins=23 21 2f 62");
    assertThat(target).hasContent(TEXT);
  }

  /** The directory itself may be a link: where it leads is looked up once. */
  @Test
  void directoryThatIsALink() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);
    try (DiskSecondaryCache tier = Rig.open(link)) {
      Files.delete(link);
      Files.createSymbolicLink(link, directory);
      assertThat(Rig.put(tier, 1, 1, 1_000)).isTrue();
    }
    writers.awaitEnd();
    assertThat(real.resolve("index.snap")).isRegularFile();
    assertThat(directory.resolve("index.snap")).doesNotExist();
    try (DiskSecondaryCache tier = Rig.open(real)) {
      assertThat(Rig.versionNow(tier, 1)).isEqualTo(1);
    }
  }
}
