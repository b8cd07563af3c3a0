/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
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
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the table of packages: who may look into which, and what each may be built from. */
class ArchitectureTest {
  private static final String ROOT = "io.hyperclock";
  private static final String API = ROOT;
  private static final String ENTRY = ROOT + ".entry";
  private static final String STATS = ROOT + ".stats";
  private static final String HASH = ROOT + ".internal.hash";
  private static final String SLOT = ROOT + ".internal.slot";
  private static final String POLICY = ROOT + ".internal.policy";
  private static final String SCOPE = ROOT + ".internal.scope";
  private static final String TABLE = ROOT + ".internal.table";
  private static final String LOADING = ROOT + ".internal.loading";
  private static final String ERRORS = ROOT + ".internal.errors";
  private static final String ADAPTIVE = ROOT + ".internal.policy.adaptive";
  private static final String DROPS = ROOT + ".internal.drops";
  private static final String OBSERVE = ROOT + ".internal.observe";
  private static final String CAPACITY = ROOT + ".internal.capacity";
  private static final String HANDLE = ROOT + ".internal.handle";
  private static final String SIZING = ROOT + ".internal.sizing";
  private static final String CACHE = ROOT + ".internal.cache";
  private static final String MEMORY = ROOT + ".memory";
  private static final String VERSIONED_API = ROOT + ".versioned";
  private static final String VERSIONED = ROOT + ".internal.versioned";

  /** Package to the packages of ours it may use besides itself. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry(API, Set.of(ENTRY, STATS)),
          Map.entry(ENTRY, Set.of()),
          Map.entry(STATS, Set.of(ENTRY)),
          Map.entry(ROOT + ".reservation", Set.of(API, ENTRY, STATS, ERRORS)),
          Map.entry(MEMORY, Set.of(API, ENTRY, ERRORS)),
          Map.entry(ROOT + ".files", Set.of(API, ENTRY, ERRORS, MEMORY, CAPACITY)),
          Map.entry(VERSIONED_API, Set.of(API, ENTRY, STATS)),
          Map.entry(
              VERSIONED,
              Set.of(
                  API,
                  VERSIONED_API,
                  ENTRY,
                  STATS,
                  HASH,
                  SLOT,
                  SCOPE,
                  POLICY,
                  CAPACITY,
                  TABLE,
                  SIZING,
                  OBSERVE,
                  ERRORS)),
          Map.entry(ROOT + ".metrics", Set.of(API, ENTRY, STATS)),
          Map.entry(HASH, Set.of()),
          Map.entry(SLOT, Set.of(ERRORS)),
          Map.entry(ERRORS, Set.of()),
          Map.entry(POLICY, Set.of(SLOT, HASH, ENTRY)),
          Map.entry(ADAPTIVE, Set.of(POLICY, SLOT, HASH, ENTRY)),
          Map.entry(DROPS, Set.of(ENTRY)),
          Map.entry(OBSERVE, Set.of(API, ENTRY, STATS, ERRORS, SLOT, POLICY, DROPS)),
          Map.entry(SCOPE, Set.of(API, SLOT, ERRORS, OBSERVE)),
          Map.entry(CAPACITY, Set.of(ERRORS, SLOT, OBSERVE, SCOPE, POLICY)),
          Map.entry(TABLE, Set.of(ERRORS, SLOT, HASH, ENTRY, OBSERVE, POLICY, CAPACITY)),
          Map.entry(HANDLE, Set.of(API, ENTRY, ERRORS, SLOT, OBSERVE, POLICY, CAPACITY, TABLE)),
          Map.entry(SIZING, Set.of(API, STATS, ERRORS, SLOT, POLICY, ADAPTIVE, CAPACITY, TABLE)),
          Map.entry(LOADING, Set.of(API, ENTRY, STATS, ERRORS, OBSERVE)),
          Map.entry(
              CACHE,
              Set.of(
                  API, ENTRY, STATS, ERRORS, HASH, SLOT, OBSERVE, DROPS, SCOPE, POLICY, CAPACITY,
                  TABLE, HANDLE, SIZING, LOADING)));

  /** The only doors from the API to what implements it. */
  private static final Map<String, Set<String>> DOORS =
      Map.of(
          OBSERVE, Set.of(ROOT + ".BlockCacheBuilder"),
          SIZING, Set.of(ROOT + ".CacheBuilder", ROOT + ".BlockCacheBuilder"),
          CACHE, Set.of(ROOT + ".CacheBuilder", ROOT + ".BlockCacheBuilder"),
          VERSIONED, Set.of(VERSIONED_API + ".VersionedCacheBuilder"));

  /** The packages whose classes use each other one way only. */
  private static final Set<String> WITHOUT_CIRCLES =
      Set.of(
          HASH, SLOT, POLICY, ADAPTIVE, DROPS, OBSERVE, SCOPE, CAPACITY, TABLE, HANDLE, SIZING,
          CACHE, ERRORS);

  private static final JavaClasses MAIN =
      new ClassFileImporter().importPath(ModuleFiles.mainClasses());

  @Test
  void everyPackageIsInTheTable() {
    assertThat(packages()).isNotEmpty().allSatisfy(name -> assertThat(MAY_USE).containsKey(name));
  }

  @Test
  void packagesUseOnlyWhatTheTableAllows() {
    Set<String> violations =
        MAIN.stream()
            .flatMap(javaClass -> javaClass.getDirectDependenciesFromSelf().stream())
            .filter(ArchitectureTest::isForbidden)
            .map(Dependency::getDescription)
            .collect(toCollection(TreeSet::new));
    assertThat(violations).isEmpty();
  }

  @Test
  void theTableHasNoCircle() {
    MAY_USE
        .keySet()
        .forEach(from -> assertThat(below(from, MAY_USE)).as(from).doesNotContain(from));
  }

  @Test
  void classesOfAPackageUseEachOtherOneWay() {
    for (String name : WITHOUT_CIRCLES) {
      Map<String, Set<String>> uses = usesWithin(name);
      assertThat(uses).as(name).isNotEmpty();
      Set<String> inCircles = new TreeSet<>(uses.keySet());
      inCircles.removeIf(type -> !below(type, uses).contains(type));
      assertThat(inCircles).as("classes of %s that use themselves by others", name).isEmpty();
    }
  }

  /** Each top-level class of a package to those of the same package that it uses. */
  private static Map<String, Set<String>> usesWithin(String name) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass javaClass : MAIN) {
      if (javaClass.getPackageName().equals(name)) {
        String from = topLevel(javaClass).getName();
        Set<String> used = uses.computeIfAbsent(from, type -> new TreeSet<>());
        for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          String to = topLevel(target).getName();
          if (target.getPackageName().equals(name) && !to.equals(from)) {
            used.add(to);
          }
        }
      }
    }
    return uses;
  }

  private static Set<String> below(String from, Map<String, Set<String>> uses) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(uses.get(from));
    while (!open.isEmpty()) {
      String next = open.pop();
      if (reached.add(next)) {
        open.addAll(uses.get(next));
      }
    }
    return reached;
  }

  @Test
  void varHandlesStayWithTheProtocolsAndTheCounters() {
    noClasses()
        .that(resideOutside(SLOT, SCOPE, TABLE, CACHE, MEMORY, ROOT + ".files"))
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.invoke.VarHandle")
        .check(MAIN);
  }

  @Test
  void nothingUsesUnsafe() {
    noClasses().should().dependOnClassesThat().haveSimpleName("Unsafe").check(MAIN);
  }

  @Test
  void protocolsUseNoLocks() {
    noClasses()
        .that(resideInAnyPackage(SLOT, SCOPE, CAPACITY, TABLE))
        .should()
        .dependOnClassesThat(resideInAPackage("java.util.concurrent.locks"))
        .allowEmptyShould(true)
        .check(MAIN);
  }

  @Test
  void protocolsUseNoMonitors() {
    Stream<String> offenders =
        JavaSource.allBelow(ModuleFiles.mainSources()).stream()
            .filter(source -> Set.of(SLOT, SCOPE, CAPACITY, TABLE).contains(source.packageName()))
            .filter(source -> source.code().matches("(?s).*\\bsynchronized\\b.*"))
            .map(JavaSource::name);
    assertThat(offenders).isEmpty();
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
                  && !isEnumConstant(javaClass)
                  && !javaClass.isAnonymousClass()
                  && !javaClass.getModifiers().contains(JavaModifier.ABSTRACT));

  private static boolean isEnumConstant(JavaClass javaClass) {
    return javaClass.getRawSuperclass().map(JavaClass::isEnum).orElse(false);
  }

  private static boolean isForbidden(Dependency dependency) {
    String from = dependency.getOriginClass().getPackageName();
    String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
    if (from.equals(to) || !to.startsWith(ROOT) || MAY_USE.get(from).contains(to)) {
      return false;
    }
    String origin = topLevel(dependency.getOriginClass()).getName();
    return !DOORS.getOrDefault(to, Set.of()).contains(origin);
  }

  private static JavaClass topLevel(JavaClass javaClass) {
    return javaClass.getEnclosingClass().map(ArchitectureTest::topLevel).orElse(javaClass);
  }

  private static DescribedPredicate<JavaClass> resideOutside(String... packages) {
    List<String> names = Arrays.asList(packages);
    return DescribedPredicate.describe(
        "reside outside " + names, javaClass -> !names.contains(javaClass.getPackageName()));
  }

  private static Set<String> packages() {
    return MAIN.stream()
        .map(JavaClass::getPackageName)
        .filter(name -> !name.isEmpty())
        .collect(toCollection(TreeSet::new));
  }
}
