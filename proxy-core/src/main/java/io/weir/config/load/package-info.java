/**
 * Loads a file into the records of {@code io.weir.config}, and compares two of them. All defaults are in {@code reference.conf}. Start at
 * {@link io.weir.config.load.ConfigLoader}. Imports nothing of the proxy.
 */
@NullMarked
package io.weir.config.load;

import org.jspecify.annotations.NullMarked;
