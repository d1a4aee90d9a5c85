/**
 * The configuration as immutable records, and the readers that fill them from HOCON with every problem by file and line.
 * Start at {@link io.weir.config.WeirConfig}; {@code reference.conf} holds every setting with its default. Imports nothing of
 * the proxy.
 */
@NullMarked
package io.weir.config;

import org.jspecify.annotations.NullMarked;
