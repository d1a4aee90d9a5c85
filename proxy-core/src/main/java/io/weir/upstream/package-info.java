/**
 * Nodes: asking one node one call, pools of connections, health, and choosing among nodes. Knows nothing of caches or of who
 * asks. Start at {@link io.weir.upstream.UpstreamPool} and {@link io.weir.upstream.NodeClient}.
 */
@NullMarked
package io.weir.upstream;

import org.jspecify.annotations.NullMarked;
