/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.jspecify.annotations.Nullable;

/** Queries made of words of random passages, the same for every run, asked with skew. */
final class Queries {
  private static final int DISTINCT = 2000;
  private static final double SKEW = 0.9;

  private final List<Ask> asks = new ArrayList<>();

  /** One query. */
  record Ask(Query query, @Nullable Sort sort) {
    TopDocs run(IndexSearcher searcher) throws IOException {
      return sort == null ? searcher.search(query, 10) : searcher.search(query, 10, sort);
    }
  }

  private Queries() {}

  static Queries of(Path index) throws IOException {
    Queries queries = new Queries();
    Random random = new Random(42);
    try (StandardAnalyzer analyzer = new StandardAnalyzer();
        Directory directory = new NIOFSDirectory(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      StoredFields stored = reader.storedFields();
      // A small corpus may not have so many passages with enough words.
      for (int tries = 0; tries < 50 * DISTINCT && queries.asks.size() < DISTINCT; tries++) {
        String passage = stored.document(random.nextInt(reader.maxDoc())).get("raw");
        List<String> words = words(analyzer, passage);
        if (words.size() >= 8) {
          queries.add(words, random);
        }
      }
    }
    Collections.shuffle(queries.asks, random);
    return queries;
  }

  private static List<String> words(StandardAnalyzer analyzer, String text) throws IOException {
    List<String> words = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream("body", text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        words.add(term.toString());
      }
      tokens.end();
    }
    return words;
  }

  private void add(List<String> words, Random random) {
    int at = random.nextInt(words.size() - 4);
    Query first = new TermQuery(new Term("body", words.get(at)));
    Query third = new TermQuery(new Term("body", words.get(at + 2)));
    Query any = new TermQuery(new Term("body", words.get(random.nextInt(words.size()))));
    switch (asks.size() % 4) {
      case 0 -> asks.add(new Ask(any, null));
      case 1 -> asks.add(new Ask(new PhraseQuery("body", words.get(at), words.get(at + 1)), null));
      case 2 ->
          asks.add(
              new Ask(
                  new BooleanQuery.Builder()
                      .add(first, Occur.MUST)
                      .add(any, Occur.MUST)
                      .add(third, Occur.SHOULD)
                      .build(),
                  null));
      default -> {
        Query lines = LongPoint.newRangeQuery("line", 0, 30L * random.nextInt(100));
        Sort sort =
            random.nextBoolean()
                ? new Sort(new SortField("size", SortField.Type.LONG, true))
                : new Sort(new SortField("folder", SortField.Type.STRING), SortField.FIELD_SCORE);
        asks.add(
            new Ask(
                new BooleanQuery.Builder().add(any, Occur.MUST).add(lines, Occur.FILTER).build(),
                sort));
      }
    }
  }

  /** Draws queries, few of them often. */
  List<Ask> draw(int count, long seed) {
    double[] sums = new double[asks.size()];
    double sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += 1 / Math.pow(i + 1, SKEW);
      sums[i] = sum;
    }
    Random random = new Random(seed);
    List<Ask> drawn = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int found = Arrays.binarySearch(sums, random.nextDouble() * sum);
      drawn.add(asks.get(Math.min(sums.length - 1, found < 0 ? -found - 1 : found)));
    }
    return drawn;
  }
}
