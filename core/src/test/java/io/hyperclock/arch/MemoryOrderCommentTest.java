/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Keeps the comments on memory order, the document on it and the stress classes together. */
class MemoryOrderCommentTest {
  private static final List<JavaSource> SOURCES = JavaSource.allBelow(ModuleFiles.mainSources());

  @Test
  void everyAccessNamesItsEdgeOrSaysWhyAWeakerOneIsEnough() {
    assertThat(MemoryOrderRules.uncommented(SOURCES)).isEmpty();
  }

  @Test
  void varHandlesAreConstants() {
    assertThat(MemoryOrderRules.varHandles(SOURCES))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(name).matches("[A-Z][A-Z0-9_]*"));
  }

  @Nested
  class Document {
    private String markdown = "";
    private Map<String, Set<String>> edges = Map.of();

    @BeforeEach
    void read() throws IOException {
      markdown = Files.readString(ModuleFiles.memoryOrderingDoc());
      edges = MemoryOrderDoc.stressClassesByEdge(markdown);
    }

    @Test
    void definesEveryEdgeTheSourceNames() {
      assertThat(MemoryOrderRules.edgesUsed(SOURCES))
          .allSatisfy((edge, files) -> assertThat(edges).as(files.toString()).containsKey(edge));
    }

    @Test
    void namesAStressClassForEveryEdge() {
      assertThat(edges)
          .isNotEmpty()
          .allSatisfy((edge, names) -> assertThat(names).as(edge).isNotEmpty());
    }

    @Test
    void namesOnlyStressClassesThatExist() {
      assertThat(existingStressClasses()).containsAll(MemoryOrderDoc.stressClasses(markdown));
    }

    private static Set<String> existingStressClasses() {
      return JavaSource.allBelow(ModuleFiles.stressSources()).stream()
          .map(source -> source.name().replaceAll(".*/|\\.java$", ""))
          .collect(toSet());
    }
  }

  /** The rules tried on small texts: a rule that cannot fail guards nothing. */
  @Nested
  class Rules {
    private static final String DECLARATION = "  private static final VarHandle META = null;\n";

    @Test
    void rejectCallWithoutComment() {
      assertThat(uncommented("  int f() { return (int) META.getAcquire(a, 0); }"))
          .containsExactly("Test.java:3: META.getAcquire");
      assertThat(uncommented("  void f() { VarHandle.storeStoreFence(); }"))
          .containsExactly("Test.java:3: VarHandle.storeStoreFence");
      assertThat(uncommented("  void f() {\n    META\n        .set(a, 0, 1L);\n  }"))
          .containsExactly("Test.java:4: META.set");
    }

    @Test
    void rejectCommentThatIsTooFarAwayOrSaysNothing() {
      assertThat(uncommented("  // [publish] far above.\n\n\n\n  long f() { return META.get(a); }"))
          .hasSize(1);
      assertThat(uncommented("  // Reads meta.\n  long f() { return META.get(a); }")).hasSize(1);
      assertThat(uncommented("  String s = \"[publish]\";\n  long f() { return META.get(a); }"))
          .hasSize(1);
    }

    @Test
    void rejectJavadocOfAnotherMethod() {
      assertThat(
              uncommented(
                  "  /** [publish] is meant here. */\n  void g() {}\n\n\n\n"
                      + "  long f() {\n    return META.get(a);\n  }"))
          .hasSize(1);
    }

    @Test
    void acceptCommentNearby() {
      assertThat(
              uncommented(
                  "  void f() {\n    // [publish] publishes.\n    META.setRelease(a, 1L);\n  }"))
          .isEmpty();
      assertThat(
              uncommented(
                  "  void f() {\n    // Opaque: late is fine.\n    META.getOpaque(a);\n  }"))
          .isEmpty();
      assertThat(
              uncommented(
                  "  void f() {\n    // Plain: one,\n    // two,\n    // three,\n    // four.\n"
                      + "    META.set(a);\n  }"))
          .isEmpty();
    }

    @Test
    void acceptJavadocOfTheMethodAround() {
      assertThat(
              uncommented(
                  "  /**\n   * Publishes.\n   *\n   * <p>[publish] seen by g.\n   */\n"
                      + "  @SuppressWarnings({\"a\"})\n  void f(int[] a) {\n    if (a != null) {\n"
                      + "      return;\n    }\n    META.setRelease(a, 1L);\n  }"))
          .isEmpty();
    }

    @Test
    void ignoreMethodsOfOtherVariablesAndComments() {
      assertThat(uncommented("  // META.getAcquire(a)\n  long f() { return map.get(a); }"))
          .isEmpty();
    }

    @Test
    void askTheCallersOfAMethodNamedAsItsAccess() {
      String door =
          "  @Override\n  long getAcquire(int i) {\n    return META.getAcquire(a, i);\n  }\n";
      assertThat(uncommented(door)).isEmpty();
      assertThat(uncommented("  abstract long getAcquire(int i);\n")).isEmpty();
      assertThat(uncommented(door + "  long meta() {\n    return getAcquire(1);\n  }"))
          .containsExactly("Test.java:8: getAcquire");
      assertThat(uncommented(door.replace("long getAcquire", "long getOpaque"))).hasSize(1);
      assertThat(
              uncommented(
                  door
                      + "  long meta() {\n"
                      + "    // [publish] what it says.\n"
                      + "    return getAcquire(1);\n"
                      + "  }"))
          .isEmpty();
    }

    @Test
    void findEdgesInTablesAndSections() {
      String text =
          "# Edges\n"
              + "| `publish` | what it is | `AStress` |\n"
              + "| `last-use` | what it is |  |\n"
              + "## `reuse`: free before it\n"
              + "See `b.CStress`.\n"
              + "### more\n"
              + "`DStress.java`\n"
              + "## Other\n"
              + "`EStress`\n";
      assertThat(MemoryOrderDoc.stressClassesByEdge(text))
          .isEqualTo(
              Map.of(
                  "publish",
                  Set.of("AStress"),
                  "last-use",
                  Set.of(),
                  "reuse",
                  Set.of("CStress", "DStress")));
    }

    private static List<String> uncommented(String members) {
      String text = "final class Test {\n" + DECLARATION + members + "\n}\n";
      return MemoryOrderRules.uncommented(List.of(new JavaSource("Test.java", text)));
    }
  }
}
