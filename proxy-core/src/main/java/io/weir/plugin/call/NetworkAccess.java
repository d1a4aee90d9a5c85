package io.weir.plugin.call;

import io.weir.api.RpcException;
import io.weir.pipeline.InternalCalls;
import org.jspecify.annotations.Nullable;

/**
 * Plugins' access to the networks, available between start and close, because networks are built after plugins are
 * provisioned. Thread-safe.
 */
public final class NetworkAccess {

    private volatile @Nullable InternalCalls calls;

    /** Allows calls. */
    public void open(InternalCalls internalCalls) {
        calls = internalCalls;
    }

    /** Rejects all later calls. */
    public void close() {
        calls = null;
    }

    /**
     * Returns the entry point for calls to the networks.
     *
     * @throws RpcException before the start and after the end
     */
    InternalCalls calls() {
        InternalCalls current = calls;
        if (current == null) {
            throw new RpcException(
                    RpcException.INTERNAL_ERROR, "networks cannot be called now (expected: between start and close)");
        }
        return current;
    }
}
