/**
 * Fills the records of {@code io.weir.config} from a file: one reader per record, with the rules of each setting. All
 * defaults are in {@code reference.conf}. Start at {@link io.weir.config.load.ConfigLoader}. Imports nothing of the
 * proxy.
 */
@NullMarked
package io.weir.config.load;

import org.jspecify.annotations.NullMarked;
