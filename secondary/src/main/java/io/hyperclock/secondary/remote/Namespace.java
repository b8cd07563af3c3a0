/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

/** Checks names of namespaces. */
final class Namespace {
  private Namespace() {}

  /**
   * Refuses what UTF-8 cannot represent: an encoder replaces unpaired surrogates by question marks,
   * so different namespaces would share their keys.
   */
  static String checked(String namespace) {
    for (int at = 0; at < namespace.length(); ) {
      int point = namespace.codePointAt(at);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        throw new IllegalArgumentException(
            String.format(
                "namespace must not have unpaired surrogates: index=%d, char=\\u%04x", at, point));
      }
      at += Character.charCount(point);
    }
    return namespace;
  }
}
