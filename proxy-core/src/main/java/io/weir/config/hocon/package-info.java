/**
 * From files to one tree of values: reading and including files, substituting from the environment, and knowing for each
 * value the file, line and column where it was written. The tree is Typesafe Config's; the places are found by a scanner of
 * our own, because Typesafe Config knows no columns, passes over missing includes and forgets where a substitution stood.
 * Start at {@link io.weir.config.hocon.HoconDocument}. Knows no setting by name and imports nothing of the proxy.
 */
@NullMarked
package io.weir.config.hocon;

import org.jspecify.annotations.NullMarked;
