package io.weir.bench;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.access.Caller;
import io.weir.cache.ResultMemory;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.config.WeirConfig;
import io.weir.config.hocon.InvalidConfigException;
import io.weir.config.load.ConfigLoader;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.load.Budget;
import io.weir.method.MethodCatalogue;
import io.weir.method.MethodFacts;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.cache.NetworkCache;
import io.weir.pipeline.head.FinalityMemory;
import io.weir.pipeline.head.HeadStage;
import io.weir.upstream.NetworkHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The stages that calls pass on one network, before a node that has one large block, which is final, and the same balance for
 * everybody. To be used on its event loop, where nothing else is said.
 */
final class StagesBeforeBlock implements AutoCloseable {

    /** The parameters that name the block by its number, with its transactions. */
    static final String BLOCK = "[\"0x" + Long.toHexString(LargeBlock.NUMBER) + "\",true]";

    /** The parameters that name its receipts. */
    static final String RECEIPTS = "[\"0x" + Long.toHexString(LargeBlock.NUMBER) + "\"]";

    /** Where the transaction stands that is asked for. */
    static final int INDEX = 100;

    /** The parameters that name that transaction by its place. */
    static final String TRANSACTION =
            "[\"0x" + Long.toHexString(LargeBlock.NUMBER) + "\",\"0x" + Integer.toHexString(INDEX) + "\"]";

    private static final RpcReply BALANCE = new RpcReply.Result(RawJson.of("\"0xde0b6b3a7640000\""));
    private static final NetworkId NETWORK = new NetworkId("mainnet");
    private static final long DEPTH = 64;

    final LargeBlock block = new LargeBlock();
    private final EventLoop loop = new DefaultEventLoop(new DefaultThreadFactory("bench-loop", true));
    private final HeadTracker tracker = new HeadTracker(TimeUnit.DAYS.toNanos(1), System::nanoTime);
    private final ResultMemory memory;
    private final NetworkCache cache;
    private static final String CONFIG = """
            default-network = mainnet
            networks.mainnet { kind = ethereum, chain-id = 1
              upstreams.node { url = "http://127.0.0.1:1" } }
            """;

    private final MethodCatalogue catalogue = MethodCatalogue.ethereum();
    private final Map<String, Stage> stages = new HashMap<>();
    private @Nullable RpcReply reply;

    StagesBeforeBlock() {
        WeirConfig config = config();
        Meters meters = new Meters(new MetricRegistry());
        memory = ResultMemory.of(config.cache(), new Budget(1L << 30), meters);
        Nodes nodes = new Nodes(
                new Head(), this::answer, ids -> this::answer, id -> this::answer, (id, flaw, why, cost) -> {});
        cache = new NetworkCache(
                Objects.requireNonNull(config.networks().get(NETWORK.name())), nodes, memory, meters, System::nanoTime);
    }

    private static WeirConfig config() {
        try {
            Path file = Files.createTempFile("weir-bench", ".conf");
            try {
                Files.writeString(file, CONFIG);
                return ConfigLoader.load(file, Map.of()).config();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InvalidConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The event loop that calls are made on. */
    EventLoop loop() {
        return loop;
    }

    /** Asks on the way that calls take; the reply is there at once. */
    RpcReply ask(String method, String params) {
        return ask(method, RawJson.of(params));
    }

    /** The same, with parameters in an array that nobody writes to any more. */
    RpcReply ask(String method, RawJson params) {
        return ask(context(method, params));
    }

    private RpcReply ask(CallContext context) {
        String method = context.call().method();
        reply = null;
        stages.computeIfAbsent(method, this::stage).handle(context, answer -> reply = answer);
        RpcReply answer = reply;
        if (answer == null) {
            throw new IllegalStateException(method + ": no answer (expected: one at once)");
        }
        return answer;
    }

    private CallContext context(String method, RawJson params) {
        RpcCall call = new RpcCall(RawJson.of("1"), method, params);
        long now = System.nanoTime();
        CallContext context =
                new CallContext(call, Caller.PROXY, NETWORK, loop, now, now + TimeUnit.MINUTES.toNanos(1));
        try {
            context.checked(
                    Objects.requireNonNull(catalogue.facts(method).params()).check(call.params(), true));
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException(e);
        }
        return context;
    }

    /** Asks until the answer comes from memory, cut out of a block or not. Not to be called on the event loop. */
    void awaitHit(String method, String params) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            CallContext context = context(method, RawJson.of(params));
            CompletableFuture<RpcReply> answered = new CompletableFuture<>();
            loop.execute(() -> stages.computeIfAbsent(method, this::stage).handle(context, answered::complete));
            answered.get(30, TimeUnit.SECONDS);
            if (String.valueOf(context.trace().cacheStatus()).startsWith("hit")) {
                return;
            }
            if (System.nanoTime() - until > 0) {
                throw new IllegalStateException(
                        method + params + ": " + context.trace().cacheStatus() + " (expected: a hit)");
            }
            // What is verified beside must not wait behind ever more of the same.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private Stage stage(String method) {
        MethodFacts facts = catalogue.facts(method);
        return new HeadStage(
                method, new Head(), new FinalityMemory(DEPTH, System::nanoTime), cache.before(facts, this::answer));
    }

    private void answer(CallContext context, io.weir.pipeline.ReplySink sink) {
        context.trace().markForwarded();
        context.trace().answeredBy("node", 1);
        if (context.call().method().equals("eth_getBalance")) {
            sink.accept(BALANCE);
            return;
        }
        byte[] answer = context.call().method().equals("eth_getBlockReceipts") ? block.receipts : block.block;
        boolean tag = String.valueOf(context.call().params()).contains("finalized");
        sink.accept(new RpcReply.Result(tag ? RawJson.NULL : RawJson.slice(answer, 0, answer.length)));
    }

    @Override
    public void close() {
        memory.close();
        loop.shutdownGracefully();
    }

    /** A head as far above the block as makes it final. */
    private final class Head implements NetworkHead {

        @Override
        public HeadTracker tracker() {
            return tracker;
        }

        @Override
        public void whenFresh(EventLoop eventLoop, long deadlineNanos, LongConsumer sink) {
            if (!tracker.fresh()) {
                HeadRound round = tracker.begin();
                tracker.named(round, LargeBlock.NUMBER + DEPTH, true);
                tracker.end(round, true);
            }
            sink.accept(tracker.number());
        }

        @Override
        public void seen(String upstreamId, long number) {
            tracker.raise(number);
        }
    }
}
