/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.Test;

class JmxViewTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private static BlockCache<String> cache() {
    BlockCache<String> cache =
        BlockCache.<String>builder()
            .capacityBytes(1 << 20)
            .estimatedEntryCharge(1000)
            .recordHits(true)
            .build();
    for (long key = 0; key < 100; key++) {
      cache.insert(1, key, "v" + key, 1000);
    }
    cache.get(1, 7);
    cache.get(2, 7);
    return cache;
  }

  @Test
  void hasEveryStatisticOfTheSnapshot() throws Exception {
    try (BlockCache<String> cache = cache();
        JmxView view = JmxView.register(cache, "blocks, \"of\" all*")) {
      CacheStats stats = cache.monitor().stats();
      for (CacheStat stat : CacheStat.values()) {
        assertThat(server.getAttribute(view.name(), stat.key()))
            .as(stat.key())
            .isEqualTo(stats.get(stat));
      }
      assertThat(server.getAttribute(view.name(), "occupancy")).isEqualTo(100L);
      assertThat(server.getAttribute(view.name(), "hits")).isEqualTo(1L);
      long entries = 0;
      for (EntryRole role : EntryRole.values()) {
        entries +=
            (long)
                server.getAttribute(
                    view.name(), "role." + role.name().toLowerCase(Locale.ROOT) + ".entries");
      }
      assertThat(entries).isEqualTo(100);
      assertThat((String[]) server.getAttribute(view.name(), "problems")).isEmpty();
    }
  }

  @Test
  void tellsWhatItHas() throws Exception {
    try (BlockCache<String> cache = cache();
        JmxView view = JmxView.register(cache, "described")) {
      MBeanAttributeInfo[] attributes = server.getMBeanInfo(view.name()).getAttributes();
      List<String> names = Arrays.stream(attributes).map(MBeanAttributeInfo::getName).toList();
      assertThat(names).doesNotHaveDuplicates().contains("capacityBytes", "problems");
      assertThat(server.getAttributes(view.name(), names.toArray(String[]::new)))
          .hasSameSizeAs(names);
      assertThatThrownBy(() -> server.getAttribute(view.name(), "nothing"))
          .isInstanceOf(AttributeNotFoundException.class);
      assertThatThrownBy(() -> server.setAttribute(view.name(), new Attribute("hits", 1L)))
          .isInstanceOf(AttributeNotFoundException.class);
    }
  }

  @Test
  void namesAreUsedOnceAtATime() {
    try (BlockCache<String> cache = cache()) {
      JmxView first = JmxView.register(cache, "same");
      assertThatIllegalStateException()
          .isThrownBy(() -> JmxView.register(cache, "same"))
          .withMessage("cacheName must be new: cacheName=same");
      ObjectName name = first.name();
      assertThat(server.isRegistered(name)).isTrue();
      first.close();
      first.close();
      assertThat(server.isRegistered(name)).isFalse();
      try (JmxView second = JmxView.register(cache, "same")) {
        first.close();
        assertThat(server.isRegistered(second.name())).as("the bean of another view").isTrue();
      }
      assertThat(server.isRegistered(name)).isFalse();
    }
  }

  @Test
  void closedCacheCannotBeRead() throws Exception {
    BlockCache<String> cache = cache();
    try (JmxView view = JmxView.register(cache, "closed")) {
      cache.close();
      assertThatThrownBy(() -> server.getAttribute(view.name(), "problems"))
          .isInstanceOf(RuntimeMBeanException.class)
          .hasCauseInstanceOf(IllegalStateException.class);
      assertThat(server.getAttributes(view.name(), new String[] {"problems"})).isEmpty();
    }
  }

  @Test
  void figuresOfBeforeAreNotThoseOfAClosedCache() throws Exception {
    BlockCache<String> cache = cache();
    try (JmxView view = JmxView.register(cache, "closed")) {
      String[] figures = {"hits", "usageBytes", "occupancy", "role.misc.entries"};
      assertThat(server.getAttributes(view.name(), figures)).hasSameSizeAs(figures);
      cache.close();
      assertThat(server.getAttributes(view.name(), figures)).isEmpty();
      assertThatThrownBy(() -> server.getAttribute(view.name(), "usageBytes"))
          .isInstanceOf(RuntimeMBeanException.class)
          .hasCauseInstanceOf(IllegalStateException.class);
    }
  }
}
