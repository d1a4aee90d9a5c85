/**
 * Nodes: sending calls to one node, health, and the choice among nodes. The package knows nothing of caches or clients.
 * Start at {@link io.weir.upstream.UpstreamPool} and its implementation, {@link io.weir.upstream.pool.ProbedPool}. The
 * client for nodes behind sockets is in {@code io.weir.upstream.link}.
 *
 * <p>Here and in the packages below, a clock returns nanoseconds, as {@link System#nanoTime}, or seconds or milliseconds since 1970 if its
 * name begins with {@code wall}. A source of random numbers returns one from 0 to its argument, exclusive, on any thread.
 */
@NullMarked
package io.weir.upstream;

import org.jspecify.annotations.NullMarked;
