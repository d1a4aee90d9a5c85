/** A small deterministic chain in the same process, offered as {@code devnet:} nodes. For trying and testing only. */
@NullMarked
package io.weir.devnet;

import org.jspecify.annotations.NullMarked;
