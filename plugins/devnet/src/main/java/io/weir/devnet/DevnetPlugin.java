package io.weir.devnet;

import io.weir.api.PluginContext;
import io.weir.api.UpstreamProvider;
import io.weir.api.WeirPlugin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.pf4j.Extension;

/**
 * The devnet's entrance: nodes behind {@code devnet:default}, with a fixed history and a new block every few seconds.
 * Without an EVM, for trying and testing only. Confined to the host's thread, as the API says.
 */
@Extension
public final class DevnetPlugin implements WeirPlugin {
    private static final Duration LEAST_BLOCK_TIME = Duration.ofMillis(10);

    private List<String> problems = List.of();
    private @Nullable DevnetNodes nodes;

    @Override
    public void provision(PluginContext context) {
        Duration blockTime = context.settings().getDuration("block-time");
        if (blockTime.compareTo(LEAST_BLOCK_TIME) < 0) {
            problems = List.of("block-time: " + blockTime.toMillis() + " ms (expected: at least 10 ms)");
        }
        nodes = new DevnetNodes(blockTime, InstantSource.system(), context.executor(), context.scheduler());
    }

    @Override
    public List<String> validate() {
        return problems;
    }

    @Override
    public List<UpstreamProvider> upstreamProviders() {
        return nodes == null ? List.of() : List.of(nodes);
    }

    @Override
    public void close() {
        if (nodes != null) {
            nodes.close();
        }
    }
}
