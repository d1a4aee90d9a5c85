/**
 * Fills the records of {@code io.weir.config} from a file: one reader per record, which says what each setting has to be like.
 * The defaults are those of {@code reference.conf}, nowhere else. Start at {@link io.weir.config.load.ConfigLoader}. Imports
 * nothing of the proxy.
 */
@NullMarked
package io.weir.config.load;

import org.jspecify.annotations.NullMarked;
