/** Describes calls in words for the approver, by the descriptions that contracts give of themselves. */
@NullMarked
package io.weir.wallet.abi;

import org.jspecify.annotations.NullMarked;
