/**
 * Nodes of one network as a pool: probes, the health and head of each node, and the choice among them. Start at {@link
 * io.weir.upstream.pool.ProbedPool}.
 */
@NullMarked
package io.weir.upstream.pool;

import org.jspecify.annotations.NullMarked;
