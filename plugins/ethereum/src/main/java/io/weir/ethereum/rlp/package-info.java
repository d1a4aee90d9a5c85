/**
 * RLP, the encoding of everything that Ethereum hashes: a writer that appends, a strict cursor that reads.
 *
 * <p>Depends on {@code io.weir.ethereum} only. Start at {@link io.weir.ethereum.rlp.RlpWriter}.
 */
@NullMarked
package io.weir.ethereum.rlp;

import org.jspecify.annotations.NullMarked;
