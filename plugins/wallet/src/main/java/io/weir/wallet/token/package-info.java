/**
 * Tokens as a person reads them: names and decimals of their contracts, amounts of calls, and balances.
 *
 * <p>A token's contract names itself. Its texts are foreign and bounded, and its answers are waited for only a short time.
 */
@NullMarked
package io.weir.wallet.token;

import org.jspecify.annotations.NullMarked;
