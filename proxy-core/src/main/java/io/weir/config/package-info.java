/**
 * The configuration as immutable records, whose components declare the settings. Start at {@link io.weir.config.WeirConfig}. {@link
 * io.weir.config.Forms} has the forms of values that are more than a number or a word. The subpackage {@code load} loads files, {@code
 * setting} reads blocks into records, and {@code hocon} knows the files and the position of each value. Imports nothing of the proxy.
 */
@NullMarked
package io.weir.config;

import org.jspecify.annotations.NullMarked;
