/** Hashes that name contents. */
@NullMarked
package io.weir.wallet.name;

import org.jspecify.annotations.NullMarked;
