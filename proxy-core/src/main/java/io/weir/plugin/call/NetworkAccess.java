package io.weir.plugin.call;

import io.weir.api.RpcException;
import io.weir.pipeline.InternalCalls;
import org.jspecify.annotations.Nullable;

/** Whether the networks can be called yet, and still: they are built after plugins are provisioned. Thread-safe. */
public final class NetworkAccess {

    private volatile @Nullable InternalCalls gate;

    /** Lets calls through. */
    public void open(InternalCalls way) {
        gate = way;
    }

    /** Lets no more calls through. */
    public void shut() {
        gate = null;
    }

    /**
     * The way to the networks.
     *
     * @throws RpcException before the start and after the end
     */
    InternalCalls way() {
        InternalCalls way = gate;
        if (way == null) {
            throw new RpcException(
                    RpcException.INTERNAL_ERROR, "networks cannot be called now (expected: between start and close)");
        }
        return way;
    }
}
