package io.weir.pipeline.filter;

import com.github.benmanes.caffeine.cache.Ticker;
import io.weir.config.NetworkConfig;
import io.weir.metrics.Meters;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.Stage;
import io.weir.upstream.UpstreamPool;
import java.util.Map;

/** The stages of one network's filters. */
public final class FilterStages {

    private FilterStages() {}

    /** The stages by method; they share one table of filters. */
    public static Map<String, Stage> of(
            NetworkConfig config, UpstreamPool pool, Forwarding forwarding, Meters registry) {
        FilterMeters meters = new FilterMeters(registry, config.name());
        FilterTable table =
                new FilterTable(config.filters(), meters, new IdleFilters(System::nanoTime), Ticker.systemTicker());
        meters.show(table::size);
        return of(table, meters, pool, forwarding);
    }

    static Map<String, Stage> of(FilterTable table, FilterMeters meters, UpstreamPool pool, Forwarding forwarding) {
        Stage creation = new NewFilterStage(table, meters, pool, forwarding.over(pool, false));
        HoldingNode once = new HoldingNode(pool, forwarding, false);
        HoldingNode repeatably = new HoldingNode(pool, forwarding, true);
        return Map.of(
                "eth_newFilter",
                creation,
                "eth_newBlockFilter",
                creation,
                "eth_newPendingTransactionFilter",
                creation,
                "eth_getFilterChanges",
                // What a node has told as a change it tells no second time.
                new FilterCallStage(table, once),
                "eth_getFilterLogs",
                new FilterCallStage(table, repeatably),
                UninstallFilterStage.METHOD,
                new UninstallFilterStage(table, repeatably));
    }
}
