/**
 * The methods that the devnet answers, each family in a class of its own.
 *
 * <p>Depends on all other packages of the devnet but the outermost. Start at {@link io.weir.devnet.rpc.MethodTable}.
 */
@NullMarked
package io.weir.devnet.rpc;

import org.jspecify.annotations.NullMarked;
