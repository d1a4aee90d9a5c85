package io.weir.bench;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.api.EthereumKind;
import io.weir.bench.fixture.ConfigText;
import io.weir.bench.fixture.InProcessNode;
import io.weir.config.NetworkConfig;
import io.weir.hocon.InvalidConfigException;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeClient;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.budget.UnitLedger;
import io.weir.upstream.pool.ProbedPool;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Choosing the node for an attempt among healthy nodes of different weights. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class UpstreamChoiceBench {

    private static final String[] METHODS = {"eth_call", "eth_getBalance", "eth_getLogs", "eth_getCode"};

    /** The block that {@link InProcessNode} names as its head. */
    private static final int HEAD = 1000;

    /** How many nodes the network has. */
    @Param({"2", "10", "50"})
    public int upstreams;

    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("bench-loop", true), NioIoHandler.newFactory());

    @SuppressWarnings("NullAway.Init") // By the set-up.
    private ProbedPool pool;

    private int next;

    /** Waits until the nodes have been found to be healthy. */
    @Setup
    public void begin() throws Exception {
        NetworkConfig network = network();
        Map<String, NodeClient> clients = new HashMap<>();
        network.upstreams().keySet().forEach(id -> clients.put(id, new InProcessNode()));
        UnitLedger ledger = UnitLedger.inMemory(System::currentTimeMillis);
        pool = new ProbedPool(network, new EthereumKind(), clients, loops, new Meters(new MetricRegistry()), ledger);
        pool.start();
        while (!pool.probed()) {
            Thread.onSpinWait();
        }
    }

    private NetworkConfig network() throws IOException, InvalidConfigException {
        StringBuilder nodes = new StringBuilder();
        for (int i = 1; i <= upstreams; i++) {
            nodes.append("upstreams.n%d { url = \"http://127.0.0.1:%d\", weight = %d }\n".formatted(i, i, 1 + i % 4));
        }
        return ConfigText.network("bench", nodes.toString());
    }

    /** Ends the probes. */
    @TearDown
    public void end() {
        pool.close();
        loops.shutdownGracefully();
    }

    /** A call's first attempt, about a block that each node has. */
    @Benchmark
    public @Nullable Choice choose() {
        next++;
        RpcCall call = new RpcCall(RawJson.NULL, METHODS[next % METHODS.length], null);
        return pool.choose(call, List.of(), next % HEAD);
    }
}
