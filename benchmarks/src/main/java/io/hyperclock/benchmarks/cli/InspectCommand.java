/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.inspect.Inspection;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what the caches of a flight recording did. */
@Command(
    name = "inspect",
    description =
        "Shows what caches did while a flight recording ran: hit ratios over time by role, inserts,"
            + " evictions, refusals, long sweeps and pins, leaked handles and problems. The caches"
            + " must have been built with observer(JfrEvents.named(...)) and, for hit ratios, with"
            + " recordHits(true).",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "To try it:   cache-bench --cache_size=67108864 --jfr run.jfr",
      "             inspect run.jfr --svg run.svg"
    })
final class InspectCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RECORDING", description = "A file of the JDK's flight recorder (.jfr).")
  private Path recording = Path.of("");

  @Option(names = "--cache", description = "Name of the one cache to show (default: all).")
  private @Nullable String cache;

  @Option(names = "--svg", description = "File for a chart of hit ratios (default: none).")
  private @Nullable Path svg;

  @Option(names = "--json", description = "File for all figures (default: none).")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Main.requireWritable(spec, "svg", svg);
    Main.requireWritable(spec, "json", json);
    Inspection inspection = Main.valid(spec, () -> Inspection.of(recording, cache));
    inspection.print(spec.commandLine().getOut());
    if (json != null) {
      inspection.write(json);
    }
    if (svg != null) {
      try {
        inspection.draw(svg);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      }
    }
    return 0;
  }
}
