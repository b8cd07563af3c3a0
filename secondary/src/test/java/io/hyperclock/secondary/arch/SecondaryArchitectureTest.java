/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.hyperclock.secondary.SecondaryCache;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Holds the table of packages: tiers know the SPI only, the adapter knows no tier. */
class SecondaryArchitectureTest {
  private static final String ROOT = "io.hyperclock";
  private static final String SPI = ROOT + ".secondary";
  private static final String TIER = SPI + ".internal.tier";
  private static final String COMPRESSION = SPI + ".compression";
  private static final String POOL = SPI + ".internal.pool";
  private static final String RECORD = SPI + ".internal.record";
  private static final String BUDGET = SPI + ".internal.budget";
  private static final String COSTS = SPI + ".internal.costs";
  private static final String ADAPTER = SPI + ".internal.adapter";
  private static final String ERRORS = ROOT + ".internal.errors";
  private static final Set<String> CORE =
      Set.of(ROOT, ROOT + ".entry", ROOT + ".reservation", ROOT + ".stats");

  /** Package to the packages it may use besides itself and {@link #CORE}. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry(SPI, Set.of()),
          Map.entry(TIER, Set.of(SPI)),
          Map.entry(BUDGET, Set.of(SPI, ERRORS)),
          Map.entry(POOL, Set.of()),
          Map.entry(COMPRESSION, Set.of(POOL)),
          Map.entry(RECORD, Set.of(SPI, TIER, COMPRESSION, POOL)),
          Map.entry(SPI + ".compressed", Set.of(SPI, TIER, COMPRESSION, RECORD, ERRORS)),
          Map.entry(SPI + ".disk", Set.of(SPI, TIER, COMPRESSION, RECORD, POOL, ERRORS)),
          Map.entry(SPI + ".remote", Set.of(SPI, TIER, COMPRESSION, RECORD, POOL, ERRORS)),
          Map.entry(SPI + ".metrics", Set.of(SPI)),
          Map.entry(COSTS, Set.of()),
          Map.entry(ADAPTER, Set.of(SPI, BUDGET, TIER, COSTS, POOL, ERRORS)));

  /** The only door from the API to what implements it. */
  private static final String DOOR = SPI + ".TieredBlockCacheBuilder";

  private static final JavaClasses MAIN = new ClassFileImporter().importPath(mainClasses());

  private static Path mainClasses() {
    try {
      return Path.of(
          SecondaryCache.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void everyPackageIsInTheTable() {
    Set<String> packages =
        MAIN.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !name.isEmpty())
            .collect(toCollection(TreeSet::new));
    assertThat(packages).isNotEmpty().allSatisfy(name -> assertThat(MAY_USE).containsKey(name));
  }

  @Test
  void packagesUseOnlyWhatTheTableAllows() {
    Set<String> violations =
        MAIN.stream()
            .flatMap(javaClass -> javaClass.getDirectDependenciesFromSelf().stream())
            .filter(SecondaryArchitectureTest::isForbidden)
            .map(Dependency::getDescription)
            .collect(toCollection(TreeSet::new));
    assertThat(violations).isEmpty();
  }

  private static boolean isForbidden(Dependency dependency) {
    String from = dependency.getOriginClass().getPackageName();
    String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
    if (from.equals(to) || !to.startsWith(ROOT) || from.isEmpty() || CORE.contains(to)) {
      return false;
    }
    boolean throughTheDoor =
        to.equals(ADAPTER) && dependency.getOriginClass().getName().equals(DOOR);
    return !throughTheDoor && !MAY_USE.get(from).contains(to);
  }

  @Test
  void nothingUsesVarHandlesOrUnsafe() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.invoke.VarHandle")
        .check(MAIN);
    noClasses().should().dependOnClassesThat().haveSimpleName("Unsafe").check(MAIN);
  }

  @Test
  void concreteClassesAreFinal() {
    classes().that(CONCRETE).should().haveModifier(JavaModifier.FINAL).check(MAIN);
  }

  private static final DescribedPredicate<JavaClass> CONCRETE =
      DescribedPredicate.describe(
          "are concrete",
          javaClass ->
              !javaClass.isInterface()
                  && !javaClass.isEnum()
                  && !javaClass.getRawSuperclass().map(JavaClass::isEnum).orElse(false)
                  && !javaClass.isAnonymousClass()
                  && !javaClass.getName().contains("package-info")
                  && !javaClass.getModifiers().contains(JavaModifier.ABSTRACT));
}
