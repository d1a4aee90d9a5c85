package io.weir.pipeline.filter;

import static java.util.Objects.requireNonNull;

import io.weir.config.NetworkConfig;
import io.weir.method.MethodRole;
import io.weir.metrics.Meters;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.Stage;
import io.weir.upstream.UpstreamPool;
import java.time.Duration;
import java.util.Map;

/**
 * Stages of the filters that nodes hold for one network's clients. Immutable and thread-safe.
 *
 * @param table the filters, also those of other stages
 * @param stages by the role of the method; they share the table
 */
public record FilterStages(FilterTable table, Map<MethodRole, Stage> stages) {

    public FilterStages {
        stages = Map.copyOf(stages);
    }

    /** Returns the stage of a role that methods of filters have. */
    public Stage stage(MethodRole role) {
        return requireNonNull(stages.get(role));
    }

    /** Returns the stages of a network without filters. */
    public static FilterStages of(
            NetworkConfig config, UpstreamPool pool, Forwarding forwarding, Meters registry, Duration idle) {
        FilterMeters meters = new FilterMeters(registry, config.name());
        FilterTable table = new FilterTable(config.filters(), meters, idle);
        meters.show(table::size);
        return of(table, new IdleFilters(System::nanoTime), pool, forwarding);
    }

    static FilterStages of(FilterTable table, IdleFilters idle, UpstreamPool pool, Forwarding forwarding) {
        HeldFilters filters = new HeldFilters(table, idle);
        HoldingNode once = new HoldingNode(pool, forwarding, false);
        HoldingNode repeatably = new HoldingNode(pool, forwarding, true);
        Stage created = new NewFilterStage(table, filters, pool, forwarding.over(pool, false));
        return new FilterStages(
                table,
                Map.of(
                        MethodRole.NEW_LOG_FILTER,
                        created,
                        MethodRole.NEW_BLOCK_FILTER,
                        created,
                        MethodRole.NEW_PENDING_FILTER,
                        created,
                        MethodRole.FILTER_CHANGES,
                        // A node returns each change once.
                        new FilterCallStage(filters, once, false),
                        MethodRole.FILTER_LOGS,
                        new FilterCallStage(filters, repeatably, true),
                        MethodRole.UNINSTALL_FILTER,
                        new UninstallFilterStage(filters, repeatably)));
    }
}
