/**
 * Nodes: asking one node one call, health, and choosing among nodes. Knows nothing of caches or of who asks. Start at {@link
 * io.weir.upstream.UpstreamPool} and what it is made of, {@link io.weir.upstream.pool.ProbedPool}; the client for nodes behind
 * sockets is in {@code io.weir.upstream.http}.
 */
@NullMarked
package io.weir.upstream;

import org.jspecify.annotations.NullMarked;
