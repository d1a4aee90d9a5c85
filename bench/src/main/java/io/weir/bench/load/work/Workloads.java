package io.weir.bench.load.work;

import static io.weir.bench.load.server.ServerName.BARE;
import static io.weir.bench.load.server.ServerName.DIRECT;
import static io.weir.bench.load.server.ServerName.ERPC;
import static io.weir.bench.load.server.ServerName.HAPROXY;
import static io.weir.bench.load.server.ServerName.NGINX_CACHE;
import static io.weir.bench.load.server.ServerName.NGINX_PASS;
import static io.weir.bench.load.server.ServerName.WEIR;
import static io.weir.bench.load.server.ServerName.WEIR_OTHER;
import static io.weir.bench.load.server.ServerName.WEIR_UNBATCHED;

import io.weir.bench.load.chain.BenchChain;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.traffic.Calls;
import io.weir.bench.load.traffic.Traffic;
import io.weir.bench.load.traffic.TrafficSource;
import java.util.List;

/** All workloads, in the order in which they run. Immutable. */
public final class Workloads {

    /** Ids that goals are about. */
    public static final String SMALL_HIT = "small-hit";

    public static final String BLOCK_4K = "block-4k";
    public static final String BATCH_100 = "batch-100";
    public static final String SMALL_MISS = "small-miss";
    public static final String MIXED = "mixed";
    public static final String LARGE = "large";
    public static final String FAULTY = "faulty";
    public static final String START = "start";

    private static final List<ServerName> KEEPING = List.of(WEIR, WEIR_OTHER, NGINX_CACHE, ERPC, BARE);
    private static final List<ServerName> PASSING =
            List.of(WEIR, WEIR_UNBATCHED, WEIR_OTHER, NGINX_PASS, HAPROXY, ERPC, DIRECT);
    private static final List<ServerName> MIXING = List.of(WEIR, WEIR_OTHER, NGINX_PASS, HAPROXY, ERPC);
    private static final int ORDINARY_BLOCK = 16;

    private Workloads() {}

    /** All of them. */
    public static List<Workload> all(BenchChain chain, Pace pace) {
        return List.of(
                same(SMALL_HIT, "small hit: a balance at a final block", Calls.small(), true, true),
                same(BLOCK_4K, "4 KB block hit", Calls.block(ORDINARY_BLOCK), true, false),
                same("block-175k", "175 KB block hit", Calls.block(BenchChain.LARGE), false, false),
                same("block-logs", "logs of a final block by address", Calls.logs(ORDINARY_BLOCK), true, false),
                same("batch-10", "batch of 10 small hits", Calls.batch(10), false, false),
                same(BATCH_100, "batch of 100 small hits", Calls.batch(100), false, false),
                new ThroughputWorkload(
                        SMALL_MISS,
                        "small miss: balances at a final block that nobody asked for",
                        PASSING,
                        0,
                        session -> () -> Calls.fresh(session.freshTurns().incrementAndGet()),
                        true,
                        false),
                new ThroughputWorkload(
                        MIXED,
                        "mixed methods in mainnet's proportions, keys with Zipf skew",
                        MIXING,
                        0,
                        session -> mixed(chain),
                        true,
                        false),
                new IdenticalCalls(),
                new LargeResults(),
                new FaultyNodes(),
                new WebSocketCalls(),
                new Start(),
                new IdleCalls(pace.idle()));
    }

    private static TrafficSource mixed(BenchChain chain) {
        Traffic.Sequence sequence = Calls.mixed(chain);
        return () -> sequence;
    }

    private static Workload same(String id, String title, Traffic.Same traffic, boolean percentiles, boolean second) {
        return new ThroughputWorkload(id, title, KEEPING, 0, session -> () -> traffic, percentiles, second);
    }
}
