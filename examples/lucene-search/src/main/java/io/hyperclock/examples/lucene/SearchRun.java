/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import com.sun.management.OperatingSystemMXBean;
import io.hyperclock.examples.lucene.Contender.Opened;
import io.hyperclock.examples.lucene.Queries.Ask;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;

/** Measures one way to read, in a process of its own. */
final class SearchRun {
  private static final int WARM_UPS = 3;

  private SearchRun() {}

  /**
   * Prints a {@link SearchMeasurement} for each size.
   *
   * @param args contender, index, threads, queries, delay in microseconds, percents of the index
   */
  public static void main(String[] args) throws Exception {
    Contender contender = Contender.valueOf(args[0]);
    Path index = Path.of(args[1]);
    int threads = Integer.parseInt(args[2]);
    int count = Integer.parseInt(args[3]);
    long delay = Long.parseLong(args[4]);
    Queries queries = Queries.of(index);
    // So that what the first size compiles does not fall into its figures.
    for (int i = 0; i < WARM_UPS; i++) {
      measure(contender, index, queries, threads, count, 0, Double.parseDouble(args[5]));
    }
    for (int i = 5; i < args.length; i++) {
      double percent = Double.parseDouble(args[i]);
      SearchMeasurement measured =
          measure(contender, index, queries, threads, count, delay, percent);
      System.out.println(measured.toLine());
    }
  }

  static SearchMeasurement measure(
      Contender contender,
      Path index,
      Queries queries,
      int threads,
      int count,
      long delayMicros,
      double percent)
      throws Exception {
    long budget = (long) (SourceIndex.bytes(index) * percent / 100);
    Opened opened = contender.open(index, budget);
    try (Directory directory = opened.directory();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setQueryCache(null);
      search(searcher, queries.draw(count, 1), threads);
      opened.below().delayMicros(delayMicros);
      long lookups = opened.lookups().getAsLong();
      long misses = opened.misses().getAsLong();
      long reads = opened.below().reads();
      long bytes = opened.below().bytes();
      long cpu = cpuNanos();
      long start = System.nanoTime();
      long check = search(searcher, queries.draw(count, 2), threads);
      double seconds = (System.nanoTime() - start) / 1e9;
      cpu = cpuNanos() - cpu;
      lookups = opened.lookups().getAsLong() - lookups;
      misses = opened.misses().getAsLong() - misses;
      return new SearchMeasurement(
          contender,
          percent,
          delayMicros,
          count / seconds,
          cpu / 1e6 / count,
          lookups == 0 ? 0 : 1 - (double) misses / lookups,
          opened.below().reads() - reads,
          opened.below().bytes() - bytes,
          opened.poolBytes().getAsLong(),
          contender.caches ? budget : 0,
          check);
    }
  }

  /** Of the whole process, compilation and garbage collection included. */
  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Runs queries and reads what they found; the sum is the same however it is read. */
  private static long search(IndexSearcher searcher, List<Ask> asks, int threads) throws Exception {
    AtomicInteger next = new AtomicInteger();
    AtomicLong check = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(
            pool.submit(
                () -> {
                  StoredFields stored = searcher.storedFields();
                  for (int n = next.getAndIncrement();
                      n < asks.size();
                      n = next.getAndIncrement()) {
                    check.addAndGet(searchOne(searcher, stored, asks.get(n)));
                  }
                  return null;
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } finally {
      pool.shutdownNow();
    }
    return check.get();
  }

  private static long searchOne(IndexSearcher searcher, StoredFields stored, Ask ask)
      throws IOException {
    long sum = 0;
    for (ScoreDoc hit : ask.run(searcher).scoreDocs) {
      sum = sum * 31 + hit.doc + stored.document(hit.doc).get("raw").length();
    }
    return sum;
  }
}
