/**
 * From files to one tree of values: reading and including files, substituting from the environment, and the file, line
 * and column of each value. The tree is Typesafe Config's. A separate scanner finds the positions, because Typesafe
 * Config knows no columns, ignores missing includes and forgets the positions of substitutions. Start at {@link
 * io.weir.hocon.HoconDocument}. Knows no setting by name and imports nothing of the proxy.
 */
@NullMarked
package io.weir.hocon;

import org.jspecify.annotations.NullMarked;
