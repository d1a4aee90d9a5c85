/** What calls do, in words for whoever approves them: read by the descriptions that contracts give of themselves. */
@NullMarked
package io.weir.wallet.abi;

import org.jspecify.annotations.NullMarked;
