/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.EntryAttributes;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.UserCode;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A block that is wanted: under which key, in which form and by whose rules.
 *
 * @param type type of the entry, asked from the rules before the load
 */
record LoadRequest<V, R>(
    Key128 key,
    ResultKind<V, R> form,
    EntryType<? super V> type,
    EntryAttributes<V> rules,
    Terms terms) {

  /** What the cache supplies where the rules leave it open. */
  record Terms(EntryType<?> defaultType, long estimatedEntryCharge, IncidentLog failures) {}

  @SuppressWarnings("unchecked")
  static <V, R> LoadRequest<V, R> of(
      long hi, long lo, ResultKind<V, R> form, EntryAttributes<V> rules, Terms terms) {
    EntryType<? super V> type = rules.type();
    if (type == null) {
      type = (EntryType<? super V>) terms.defaultType();
    }
    form.requireLoadable(type);
    return new LoadRequest<>(new Key128(hi, lo), form, type, rules, terms);
  }

  /** A request with these terms for another key. */
  LoadRequest<V, R> at(Key128 other) {
    return new LoadRequest<>(other, form, type, rules, terms);
  }

  /** Disposes a value, if there is one, that was loaded for a key and is in no cache. */
  void dispose(long hi, long lo, @Nullable V value) {
    if (value != null) {
      UserCode.dispose(type, hi, lo, value, terms.failures());
    }
  }

  /**
   * Makes an entry of a loaded value, which is disposed if the rules throw. From here on listeners
   * and disposers are run, which may ask for any key.
   *
   * @param of the key that it was loaded for
   */
  LoadedEntry<V> entry(Key128 of, V value) {
    try {
      LoadedEntry<V> entry =
          new LoadedEntry<>(
              of.hi(),
              of.lo(),
              value,
              type,
              chargeBytes(value),
              Objects.requireNonNull(rules.priority(), "priority must not be null"));
      LoadTask.stopLoading();
      return entry;
    } catch (Throwable e) {
      dispose(of.hi(), of.lo(), value);
      throw e;
    }
  }

  private long chargeBytes(V value) {
    long charge = rules.chargeBytes(value);
    if (charge != EntryAttributes.UNKNOWN_CHARGE) {
      return charge;
    }
    @SuppressWarnings("unchecked")
    EntryCodec<V> codec = (EntryCodec<V>) type.codec();
    if (codec != null) {
      return codec.chargeBytes(value);
    }
    if (terms.estimatedEntryCharge() != EntryAttributes.UNKNOWN_CHARGE) {
      return terms.estimatedEntryCharge();
    }
    if (value instanceof byte[] array) {
      return array.length;
    }
    if (value instanceof ByteBuffer buffer) {
      return buffer.capacity();
    }
    throw new IllegalStateException(
        "chargeBytes must be known of what is loaded into a cache without estimatedEntryCharge,"
            + " as BlockLoader.of tells it: chargeBytes="
            + charge
            + ", type="
            + value.getClass().getName());
  }
}
