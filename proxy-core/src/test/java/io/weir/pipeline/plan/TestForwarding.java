package io.weir.pipeline.plan;

import com.codahale.metrics.MetricRegistry;
import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.limit.Budget;
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

    /** Returns what sends calls to a pool with the usual settings. */
    public static Forwarding forwarding(UpstreamPool pool, MetricRegistry registry) {
        return forwarding(pool, registry, NO_WAITS);
    }

    /** Returns what sends calls to a pool with a setting of the network. */
    public static Forwarding forwarding(UpstreamPool pool, MetricRegistry registry, String setting) {
        BalanceConfig config = NetworkSettings.of("net", setting).balance();
        return stage(pool, config, registry, System::nanoTime);
    }

    /** Returns what sends calls to a pool with the usual settings, and has results checked. */
    public static Forwarding forwarding(UpstreamPool pool, MetricRegistry registry, ReplyCheck judge) {
        BalanceConfig config = NetworkSettings.of("net", NO_WAITS).balance();
        return judged(stage(pool, config, registry, System::nanoTime), judge);
    }

    /** Returns the same stage, which has results checked. */
    static ForwardStage judged(ForwardStage stage, ReplyCheck judge) {
        return new ForwardStage(
                stage.pool(),
                stage.meters(),
                stage.clock(),
                stage.bytes(),
                stage.limits(),
                judge,
                stage.hedged(),
                stage.repeatable());
    }

    /** Takes all but some of the retries that need no calls. */
    static void spendRetries(ForwardStage stage, int left) {
        for (int i = left; i < AttemptLimits.RETRY_RESERVE; i++) {
            stage.limits().takeRetry();
        }
    }

    /** Returns the stage that sends repeatable calls to the nodes of a pool, with a clock of the test's own. */
    public static ForwardStage stage(
            UpstreamPool pool, BalanceConfig config, MetricRegistry registry, LongSupplier clock) {
        CallMeters meters = new CallMeters(new Meters(registry), new NetworkId("net"));
        AttemptLimits limits = new AttemptLimits(pool, config, clock, new Random(1)::nextDouble);
        return new ForwardStage(pool, meters, clock, Budget.unbounded(), limits, null, true, method -> true);
    }

    /** Returns the same stage for calls that are not repeatable. */
    public static Stage once(ForwardStage stage) {
        return stage.repeating(method -> false);
    }
}
