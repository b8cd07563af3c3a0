/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * Follows the references of classes: from a class picked at random it looks up every class that its
 * constant pool names, then the classes named by those, breadth first, up to a number of steps and
 * of classes; then it picks the next. What it looks up depends on the seed alone. For one thread.
 */
final class Analyser {
  static final int MAX_STEPS = 2;
  static final int MAX_CLASSES = 100;

  private record Step(String name, int distance) {}

  private final List<String> classes;
  private final ClassReader reader;
  private final SplittableRandom random;
  private final Queue<Step> pending = new ArrayDeque<>();
  private final Set<String> seen = new HashSet<>();

  /**
   * Makes an analyser that has not begun.
   *
   * @param classes names to start from
   * @param reader where class files are looked up, not closed by this
   * @param seed decides the picks
   */
  Analyser(List<String> classes, ClassReader reader, long seed) {
    this.classes = classes;
    this.reader = reader;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Goes on where the last call stopped.
   *
   * @param lookups how many classes to look up
   * @param nanos takes the time of each lookup
   * @return what these lookups found
   * @throws IOException if reading fails
   */
  Findings run(int lookups, Histogram nanos) throws IOException {
    Findings findings = Findings.NONE;
    for (int i = 0; i < lookups; i++) {
      Step step = next();
      long start = System.nanoTime();
      byte[] classFile = reader.read(step.name);
      nanos.recordValue(System.nanoTime() - start);
      int references = classFile == null ? 0 : follow(step, ConstantPool.classNames(classFile));
      findings = findings.plus(step.name, classFile, references);
    }
    return findings;
  }

  private Step next() {
    Step step = pending.poll();
    if (step != null) {
      return step;
    }
    seen.clear();
    String root = classes.get(random.nextInt(classes.size()));
    seen.add(root);
    return new Step(root, 0);
  }

  private int follow(Step step, List<String> names) {
    if (step.distance < MAX_STEPS) {
      for (String name : names) {
        if (seen.size() < MAX_CLASSES && seen.add(name)) {
          pending.add(new Step(name, step.distance + 1));
        }
      }
    }
    return names.size();
  }
}
