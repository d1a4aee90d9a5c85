/** Names that people write: which known one an unknown one probably means. */
@NullMarked
package io.weir.wallet.name;

import org.jspecify.annotations.NullMarked;
