package io.weir.pipeline.plan;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.access.KeyAccount;
import io.weir.access.RateGate;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.Budget;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meters;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CacheStages;
import io.weir.pipeline.NoCacheStages;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.Stage;
import io.weir.testing.NetworkSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A network's pipeline over a fake pool. */
final class Fixture {

    static final NetworkId NETWORK = new NetworkId("testnet");

    final FakePool pool = new FakePool();
    final MetricRegistry registry = new MetricRegistry();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    final EventLoop loop = channel.eventLoop();
    String methods = "methods {}";
    long callTimeoutMillis = 10_000;
    Map<String, Stage> handlers = Map.of();
    CacheStages cache = new NoCacheStages();

    PlannedRequestRunner runner() {
        NetworkConfig config =
                NetworkSettings.of(NETWORK.name(), "chain-id = 1337", "verify = off", TestForwarding.NO_WAITS, methods);
        CallMeters meters = new CallMeters(new Meters(registry), NETWORK);
        MethodPlans plans = new MethodPlans(
                MethodCatalogue.ethereum(),
                config,
                ForwardStage.ofClients(pool, meters, config.balance(), Budget.unbounded(), null, method -> false),
                handlers,
                Map.of(),
                cache);
        return new PlannedRequestRunner(NETWORK, plans, callTimeoutMillis, null);
    }

    List<RequestAnswer> run(RequestBody body, Caller caller) {
        List<RequestAnswer> answers = new ArrayList<>();
        runner().run(body, caller, loop, answers::add);
        channel.runPendingTasks();
        return answers;
    }

    /** Runs a body for an answer sink of the test's own. */
    void run(RequestBody body, AnswerSink sink) {
        run(body, caller(), sink);
    }

    void run(RequestBody body, Caller caller, AnswerSink sink) {
        runner().run(body, caller, loop, sink);
        channel.runPendingTasks();
    }

    /** Runs what waits on the event loop. */
    void settle() {
        channel.runPendingTasks();
    }

    List<RequestAnswer> run(String method) {
        return run(call("1", method), caller());
    }

    static RequestItem call(String id, String method) {
        return new RpcCall(RawJson.of(id), method, params(method));
    }

    static RequestItem notification(String method) {
        return new RpcCall(null, method, params(method));
    }

    /** What the methods that tests use take. */
    private static RawJson params(String method) {
        return switch (method) {
            case "eth_call" -> RawJson.of("[{},\"latest\"]");
            case "eth_getBalance" -> RawJson.of("[\"0x" + "0".repeat(40) + "\",\"latest\"]");
            case "eth_getBlockByNumber" -> RawJson.of("[\"0x1\",false]");
            case "eth_getTransactionReceipt" -> RawJson.of("[\"0x" + "0".repeat(64) + "\"]");
            case "eth_getUncleByBlockHashAndIndex" -> RawJson.of("[\"0x" + "0".repeat(64) + "\",\"0x0\"]");
            case "eth_getLogs" -> RawJson.of("[{}]");
            case "eth_sendRawTransaction" -> RawJson.of("[\"0x01\"]");
            default -> RawJson.EMPTY_ARRAY;
        };
    }

    static Caller caller() {
        return caller(KeyAccount.NONE);
    }

    static Caller caller(KeyAccount account) {
        return TestCaller.of(TestCaller.every(), new Rate(0, 0), account);
    }

    static Caller callerWithoutRights() {
        return TestCaller.of(Set.of(), new Rate(0, 0), KeyAccount.NONE);
    }

    static Caller callerAtRate(long wait) {
        return TestCaller.of(TestCaller.every(), new Rate(wait, 5), KeyAccount.NONE);
    }

    /** A rate at which each call waits for a time. */
    private record Rate(long waitNanos, long perSecond) implements RateGate {

        @Override
        public boolean weighted() {
            return false;
        }

        @Override
        public void giveBack(long units) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void charge(long units) {}

        @Override
        public long admit(long units) {
            return waitNanos;
        }
    }
}
