/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheMonitor;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.Problem;
import io.hyperclock.stats.StatsCollector;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;

/**
 * Statistics of one cache as a managed bean, for those who have no registry of meters: {@code
 * io.hyperclock:type=BlockCache,name="..."} in the platform's server. Its attributes are the
 * constants of {@link CacheStat} by their {@linkplain CacheStat#key() keys}, {@code
 * role.<role>.<figure>} for each role, and {@code problems}, the text of {@link
 * CacheMonitor#problems()}.
 *
 * <pre>{@code
 * try (JmxView view = JmxView.register(cache, "blocks")) {
 *   log("see " + view.name());
 * }
 * }</pre>
 *
 * <p>Attributes read one {@link StatsCollector}, so a client that asks for all of them costs one
 * scan of the table at most. {@code problems} looks anew each time.
 *
 * <p><b>The cache is referenced weakly.</b> Once it is closed or unreachable, attributes cannot be
 * read; {@link #close()} removes the bean. Thread-safe.
 */
public final class JmxView implements AutoCloseable {
  private final MBeanServer server;
  private final ObjectName name;
  private final AtomicBoolean closed = new AtomicBoolean();

  private JmxView(MBeanServer server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /**
   * Registers a bean for a cache.
   *
   * @param cache the cache
   * @param cacheName value of the key {@code name}; any text
   * @return what removes the bean again
   * @throws IllegalStateException if there is a bean of this name
   */
  public static JmxView register(BlockCache<?> cache, String cacheName) {
    Objects.requireNonNull(cache, "cache must not be null");
    Objects.requireNonNull(cacheName, "cacheName must not be null");
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name =
          new ObjectName("io.hyperclock:type=BlockCache,name=" + ObjectName.quote(cacheName));
      server.registerMBean(new Bean(cache), name);
      return new JmxView(server, name);
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalStateException("cacheName must be new: cacheName=" + cacheName, e);
    } catch (JMException e) {
      throw new IllegalStateException("bean must be registered: cacheName=" + cacheName, e);
    }
  }

  /**
   * Name of the bean.
   *
   * @return the same at every call
   */
  public ObjectName name() {
    return name;
  }

  /** Removes the bean; the cache is not closed. Idempotent. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return; // Another view may have a bean of this name by now.
    }
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      return; // It has gone already.
    } catch (JMException e) {
      throw new IllegalStateException("bean must be removed: name=" + name, e);
    }
  }

  private static final class Bean implements DynamicMBean {
    private static final String PROBLEMS = "problems";
    private static final Map<String, CacheFigure> FIGURES = new LinkedHashMap<>();

    static {
      CacheFigure.all(EnumSet.allOf(EntryRole.class)).forEach(one -> FIGURES.put(one.key(), one));
    }

    private final WeakCache cache;
    private final StatsCollector<CacheStats> collector;

    Bean(BlockCache<?> cache) {
      this.cache = new WeakCache(cache);
      this.collector = new StatsCollector<>(this.cache::stats);
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
      BlockCache<?> now = cache.present();
      if (attribute.equals(PROBLEMS)) {
        return now.monitor().problems().stream().map(Problem::message).toArray(String[]::new);
      }
      CacheFigure figure = FIGURES.get(attribute);
      if (figure == null) {
        throw new AttributeNotFoundException("attribute must be one of the bean's: " + attribute);
      }
      return figure.value().applyAsLong(collector.get());
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
      AttributeList all = new AttributeList();
      for (String attribute : attributes) {
        try {
          all.add(new Attribute(attribute, getAttribute(attribute)));
        } catch (AttributeNotFoundException | IllegalStateException e) {
          continue; // Left out, as the contract says.
        }
      }
      return all;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
      throw new AttributeNotFoundException("attributes must not be set: " + attribute.getName());
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
      return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] values, String[] signature)
        throws ReflectionException {
      throw new ReflectionException(new NoSuchMethodException(action), "there are no operations");
    }

    @Override
    public MBeanInfo getMBeanInfo() {
      List<MBeanAttributeInfo> attributes = new ArrayList<>();
      for (CacheFigure figure : FIGURES.values()) {
        String description = figure.description() + ", in " + figure.unit();
        attributes.add(attribute(figure.key(), "long", description));
      }
      String problems = "Settings that cost capacity or speed";
      attributes.add(attribute(PROBLEMS, String[].class.getName(), problems));
      return new MBeanInfo(
          Bean.class.getName(),
          "Statistics of a block cache",
          attributes.toArray(MBeanAttributeInfo[]::new),
          null,
          null,
          null);
    }

    private static MBeanAttributeInfo attribute(String name, String type, String description) {
      return new MBeanAttributeInfo(name, type, description, true, false, false);
    }
  }
}
