/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.WarmRestart;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the primary had when it was closed comes back: {@link WarmUp} at the start, and before the
 * end a list of keys, and values for the tier that does not have them yet.
 *
 * <p>Values are offered as those that are evicted are, with a bound that was taken before any of
 * them was looked at. So one that is written at the same time is refused or erased again, see
 * {@code tiering.md}.
 */
final class Restart {
  private static final long PAUSE_NANOS = 100_000;

  private final WarmRestart<?> settings;
  private final long mostSavingNanos;
  private final List<? extends EntryType<?>> types;
  private final List<String> names;
  private final Tiers tiers;
  private final int tier;
  private final BlockCache<Object> primary;
  private final RetainedCopyTypes kept;
  private final WarmUp warmUp;
  private final @Nullable Thread reader;
  private boolean isClosing;
  private volatile byte @Nullable [] list;

  /** Begins to read, if that is wanted and a tier keeps a list. */
  @SuppressWarnings("unchecked")
  static @Nullable Restart of(
      TieredConfig<?> config,
      Tiers tiers,
      BlockCache<Object> primary,
      RetainedCopyTypes kept,
      TierLookups reads,
      TierWrites writes) {
    WarmRestart<?> settings = config.warmRestart();
    int tier = tierOf(tiers.list());
    if (settings == null || tier < 0) {
      return null;
    }
    WarmReads reading = new WarmReads(primary, (WarmRestart<Object>) settings, reads, writes);
    return new Restart(settings, config, tiers, tier, primary, kept, reading);
  }

  private Restart(
      WarmRestart<?> settings,
      TieredConfig<?> config,
      Tiers tiers,
      int tier,
      BlockCache<Object> primary,
      RetainedCopyTypes kept,
      WarmUp.Reads reads) {
    this.settings = settings;
    this.mostSavingNanos = Expiry.nanos(config.mostSaving());
    this.types = settings.types();
    this.names = types.stream().map(EntryType::name).toList();
    this.tiers = tiers;
    this.tier = tier;
    this.primary = primary;
    this.kept = kept;
    byte[] before = tiers.restartList(tier);
    RestartKeys keys =
        before == null ? new RestartKeys() : RestartKeys.decode(before, names, settings.maxKeys());
    this.warmUp = new WarmUp(keys, reads, settings.bytesPerSecond(), config.clock());
    this.reader = WarmUp.start(warmUp);
  }

  /** The nearest tier that keeps a list; -1 if none does. */
  private static int tierOf(List<SecondaryCache> tiers) {
    for (int tier = 0; tier < tiers.size(); tier++) {
      if (tiers.get(tier).keepsRestartList()) {
        return tier;
      }
    }
    return -1;
  }

  /** Reads nothing more ahead. */
  void stopReading() {
    warmUp.cancel();
    if (reader != null) {
      LockSupport.unpark(reader);
    }
  }

  /**
   * While the primary and the hand-off are open: makes the list, saves values. Who closes too
   * meanwhile waits, so that it does not close the primary under the first.
   */
  synchronized void beforeClose(
      InFlightTable registry, Demotion demotion, DemotionFilter<?> descent, long limitNanos) {
    if (isClosing) {
      return;
    }
    isClosing = true;
    long bound = registry.now();
    RestartKeys keys = new RestartKeys();
    RestartKeys missing = new RestartKeys();
    try {
      list(keys, missing, descent);
      save(missing, bound, demotion, descent, Math.min(limitNanos, mostSavingNanos));
      warmUp.addRest(keys, settings.maxKeys());
      list = keys.encode(names);
    } catch (IllegalStateException | OutOfMemoryError e) {
      // Closed meanwhile, or no memory for a list: the next start is a cold one.
    }
  }

  /** Until the list is full: what is left out of it takes no place there. */
  private void list(RestartKeys keys, RestartKeys missing, DemotionFilter<?> descent) {
    try {
      primary
          .monitor()
          .forEachHottest(
              Integer.MAX_VALUE,
              (hi, lo, value, type, charge) -> {
                int number = types.indexOf(kept.original(type));
                if (number < 0 || descent.isDropped(hi)) {
                  return;
                }
                if (keys.size() == settings.maxKeys()) {
                  throw new CancellationException("list is full");
                }
                keys.add(hi, lo, number);
                if (!tiers.mayHold(tier, hi, lo)) {
                  missing.add(hi, lo, number);
                }
              });
    } catch (CancellationException isFull) {
      return;
    }
  }

  private void save(
      RestartKeys missing,
      long bound,
      Demotion demotion,
      DemotionFilter<?> descent,
      long limitNanos) {
    long begin = System.nanoTime();
    for (int i = 0; i < missing.size(); i++) {
      Handle<Object> handle = primary.lookup(missing.hi(i), missing.lo(i));
      if (handle == null) {
        continue;
      }
      try (handle) {
        while (!demotion.hasRoom(handle.chargeBytes())) {
          if (System.nanoTime() - begin > limitNanos || demotion.pending() == 0) {
            break;
          }
          LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        if (System.nanoTime() - begin > limitNanos) {
          return;
        }
        descent.offerHeld(handle, tier, bound);
      }
    }
    while (demotion.pending() > 0 && System.nanoTime() - begin <= limitNanos) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  /** After the primary has been closed, before the tiers are. */
  void keepList() {
    byte[] made = list;
    if (made != null) {
      tiers.keepRestartList(tier, made);
    }
  }
}
