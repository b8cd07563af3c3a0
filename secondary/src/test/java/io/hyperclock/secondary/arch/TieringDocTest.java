/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.arch;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TieredBlockCacheBuilder;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about tiers has a row for each option of the builder, with nothing left out. */
class TieringDocTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(\\w+)[^`]*` \\| [^|]+ \\| [^|]+ \\|$");

  @Test
  void everyOptionHasItsRow() throws IOException {
    String page = Files.readString(Path.of("docs/tiering.md"));
    int begin = page.indexOf("## Every option of the builder");
    assertThat(begin).isPositive();
    String table = page.substring(begin, page.indexOf("## Up", begin));
    Set<String> named =
        ROW.matcher(table)
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> options =
        Arrays.stream(TieredBlockCacheBuilder.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> method.getReturnType() == TieredBlockCacheBuilder.class)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).isEqualTo(options);
  }
}
