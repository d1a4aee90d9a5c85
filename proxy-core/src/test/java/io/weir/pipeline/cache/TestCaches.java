package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.ChainView;
import io.weir.config.NetworkConfig;
import io.weir.metrics.Meters;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.watch.KnownChain;
import java.util.function.LongSupplier;

/** Caches without results, which are stored under their network's name. */
public final class TestCaches {

    private TestCaches() {}

    public static NetworkCache of(
            NetworkConfig config, Nodes nodes, ResultMemory memory, Meters meters, LongSupplier clock) {
        KnownChain known = KnownChain.of(config, new ChainView(), clock);
        CacheMeters counted = new CacheMeters(meters, config.name());
        VerificationContext verification =
                VerificationContext.of(config, memory.executor(), counted, nodes.faults(), known, nodes.all());
        return new NetworkCache(config, config.name(), nodes, memory, meters, verification);
    }
}
