package io.weir.pipeline.plan;

import com.codahale.metrics.MetricRegistry;
import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.metrics.Meters;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.Stage;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.UpstreamPool;
import java.util.Random;
import java.util.function.LongSupplier;

/** The last stage of most plans, for tests of other packages. */
public final class TestForwarding {

    /** Setting with which calls that every node failed fail at once. */
    public static final String NO_WAITS = "balance.wait = 0 ms";

    private TestForwarding() {}

    /** Returns the stage that sends repeatable calls to the nodes of a pool, with a clock of the test's own. */
    public static Stage over(UpstreamPool pool, BalanceConfig config, MetricRegistry registry, LongSupplier clock) {
        return over(parts(pool, config, registry, clock), true);
    }

    /** Returns the stage that sends calls by parts which other stages share. */
    public static Stage over(AttemptParts parts, boolean repeatable) {
        return new ForwardStage(parts, method -> repeatable);
    }

    /** Returns what sends calls to a pool with the usual settings. */
    public static Forwarding forwarding(UpstreamPool pool, MetricRegistry registry) {
        return forwarding(pool, registry, NO_WAITS);
    }

    /** Returns what sends calls to a pool with a setting of the network. */
    public static Forwarding forwarding(UpstreamPool pool, MetricRegistry registry, String setting) {
        BalanceConfig config = NetworkSettings.of("net", setting).balance();
        return MethodPlans.forwarding(parts(pool, config, registry, System::nanoTime));
    }

    /** Returns what sends calls to a pool with the usual settings, and has results checked. */
    public static Forwarding forwarding(UpstreamPool pool, MetricRegistry registry, ReplyCheck judge) {
        BalanceConfig config = NetworkSettings.of("net", NO_WAITS).balance();
        AttemptParts parts = parts(pool, config, registry, System::nanoTime);
        return MethodPlans.forwarding(new AttemptParts(
                pool, parts.meters(), parts.clock(), parts.bytes(), parts.limits(), judge, parts.hedged()));
    }

    /** Takes all but some of the retries that need no calls. */
    static void spendRetries(AttemptParts parts, int left) {
        for (int i = left; i < AttemptLimits.RETRY_RESERVE; i++) {
            parts.limits().takeRetry();
        }
    }

    /** Returns the parts of a pool, with a clock of the test's own. */
    public static AttemptParts parts(
            UpstreamPool pool, BalanceConfig config, MetricRegistry registry, LongSupplier clock) {
        CallMeters meters = new CallMeters(new Meters(registry), new NetworkId("net"));
        return AttemptParts.ofClients(pool, meters, config, clock, new Random(1)::nextDouble);
    }
}
