/** Names: which known one an unknown one probably means, and hashes that name contents. */
@NullMarked
package io.weir.wallet.name;

import org.jspecify.annotations.NullMarked;
