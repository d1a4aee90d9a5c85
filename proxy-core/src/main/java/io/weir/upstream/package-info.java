/**
 * Nodes: sending calls to one node, health, and the choice among nodes. The package knows nothing of caches or clients.
 * Start at {@link io.weir.upstream.UpstreamPool} and its implementation, {@link io.weir.upstream.pool.ProbedPool}. The
 * client for nodes behind sockets is in {@code io.weir.upstream.link}.
 */
@NullMarked
package io.weir.upstream;

import org.jspecify.annotations.NullMarked;
