/**
 * The configuration as immutable records. Start at {@link io.weir.config.WeirConfig}; {@code reference.conf} has every
 * setting with its default. The subpackage {@code load} fills the records and reports all problems. The subpackage
 * {@code setting} reads one setting, and {@code hocon} knows the files and the position of each value. Imports nothing
 * of the proxy.
 */
@NullMarked
package io.weir.config;

import org.jspecify.annotations.NullMarked;
