package io.weir.pipeline.filter;

import com.github.benmanes.caffeine.cache.Ticker;
import io.weir.config.NetworkConfig;
import io.weir.method.MethodRole;
import io.weir.metrics.Meters;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.Stage;
import io.weir.upstream.UpstreamPool;
import java.util.Map;

/** Stages of one network's filters. */
public final class FilterStages {

    private FilterStages() {}

    /** Returns the stages by the role of the method; they share one table of filters. */
    public static Map<MethodRole, Stage> of(
            NetworkConfig config, UpstreamPool pool, Forwarding forwarding, Meters registry) {
        FilterMeters meters = new FilterMeters(registry, config.name());
        FilterTable table =
                new FilterTable(config.filters(), meters, new IdleFilters(System::nanoTime), Ticker.systemTicker());
        meters.show(table::size);
        return of(table, meters, pool, forwarding);
    }

    static Map<MethodRole, Stage> of(FilterTable table, FilterMeters meters, UpstreamPool pool, Forwarding forwarding) {
        Stage creation = new NewFilterStage(table, meters, pool, forwarding.over(pool, false));
        HoldingNode once = new HoldingNode(pool, forwarding, false);
        HoldingNode repeatably = new HoldingNode(pool, forwarding, true);
        return Map.of(
                MethodRole.NEW_FILTER,
                creation,
                MethodRole.FILTER_CHANGES,
                // A node returns each change once.
                new FilterCallStage(table, once, false),
                MethodRole.FILTER_LOGS,
                new FilterCallStage(table, repeatably, true),
                MethodRole.UNINSTALL_FILTER,
                new UninstallFilterStage(table, repeatably));
    }
}
