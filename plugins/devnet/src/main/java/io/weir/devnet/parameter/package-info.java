/**
 * Parameters of calls as geth reads them, and refuses them: JSON on one side, values of the Ethereum library on the
 * other.
 *
 * <p>Depends on the Ethereum library and the plugin API. Start at {@link io.weir.devnet.parameter.Parameters}.
 */
@NullMarked
package io.weir.devnet.parameter;

import org.jspecify.annotations.NullMarked;
