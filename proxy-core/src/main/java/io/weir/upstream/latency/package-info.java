/**
 * Measured times of nodes' answers: by node for the choice among them, and by pool for when to ask a second node. Start at
 * {@link io.weir.upstream.latency.NodeLatency}.
 */
@NullMarked
package io.weir.upstream.latency;

import org.jspecify.annotations.NullMarked;
