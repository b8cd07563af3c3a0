/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.interleaving;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that run in code with {@link SwitchPoints}: each test method is run in an instance of the
 * same class that a {@link WovenClassLoader} has loaded. It has no parameters, and its class no
 * methods that run before or after it.
 */
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(WovenExtension.class)
public @interface Woven {
  /**
   * Packages below {@code io.hyperclock.internal} that get switch points; all, if none is named.
   */
  String[] value() default {};
}
