/**
 * Ranges of {@code eth_getLogs} that nodes refuse as too large: they are cut, and the logs of the pieces are joined. It depends on
 * the chain's watch and on the nodes. Start reading at {@link io.weir.pipeline.range.LogRanges}.
 */
@NullMarked
package io.weir.pipeline.range;

import org.jspecify.annotations.NullMarked;
