package io.weir.devnet;

import io.weir.api.PluginContext;
import io.weir.api.UpstreamProvider;
import io.weir.api.WeirPlugin;
import io.weir.api.setting.About;
import io.weir.api.setting.Setting;
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
    private @Nullable DevnetNodes nodes;

    /** The settings of the devnet. */
    record Settings(
            @About("Time between live blocks behind the fixed history.")
            @Setting(value = "4 s", range = "10 ms to 24 h")
            long blockTimeMillis) {}

    @Override
    public void provision(PluginContext context) {
        Duration blockTime = Duration.ofMillis(context.settings(Settings.class).blockTimeMillis());
        nodes = new DevnetNodes(blockTime, InstantSource.system(), context.executor(), context.scheduler());
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
