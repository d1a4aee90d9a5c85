/**
 * The configuration as immutable records. Start at {@link io.weir.config.WeirConfig}; {@code reference.conf} holds every
 * setting with its default. Below lie {@code load}, which fills the records and says every problem, {@code setting}, which
 * reads one setting, and {@code hocon}, which knows the files and the place of each value. Imports nothing of the proxy.
 */
@NullMarked
package io.weir.config;

import org.jspecify.annotations.NullMarked;
