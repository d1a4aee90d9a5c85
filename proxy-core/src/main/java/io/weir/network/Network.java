package io.weir.network;

import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.pipeline.RequestRunner;
import io.weir.upstream.UpstreamPool;

/**
 * One chain as the proxy serves it. Immutable; what it holds is thread-safe.
 *
 * @param runner takes request bodies for this network
 */
public record Network(NetworkId id, NetworkConfig config, UpstreamPool pool, RequestRunner runner) {}
