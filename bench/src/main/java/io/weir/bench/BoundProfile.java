package io.weir.bench;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.bench.fixture.ConfigText;
import io.weir.bench.fixture.NoPicking;
import io.weir.bench.fixture.StillHead;
import io.weir.cache.memory.ResultMemory;
import io.weir.config.NetworkConfig;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.hocon.InvalidConfigException;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.cache.NetworkCache;
import io.weir.pipeline.plan.MethodPlans;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends calls with distinct parameters through the stages that keep results, and again some that came before, and prints the
 * state of the heap. Results must stay within their bound, and their stated size must be their real size.
 *
 * <pre>
 * java -Xmx192m -cp bench/target/weir-bench.jar io.weir.bench.BoundProfile KEYS MEBIBYTES
 * </pre>
 */
public final class BoundProfile {

    private static final NetworkId NETWORK = new NetworkId("profile");
    private static final long HEAD = 20_000_000;
    private static final int THREADS = 2;
    private static final int ADDRESSES = 1 << 20;
    private static final int SAMPLES = 10;
    private static final String ZEROS = "0".repeat(2_000);
    private static final String LOGS = "[" + ("\"0x" + ZEROS.substring(0, 600) + "\",").repeat(10) + "\"0x1\"]";
    /** Of what the store says: it counts each entry with the same overhead, and these differ a little. */
    private static final double TOLERANCE = 1.15;

    private final long keys;
    private final ResultMemory memory;
    private final NetworkCache cache;
    private final Map<String, Stage> stages = new HashMap<>();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong nodeCalls = new AtomicLong();

    private BoundProfile(long keys, long bytes) throws IOException, InvalidConfigException {
        this.keys = keys;
        Meters meters = new Meters(new MetricRegistry());
        this.memory = ResultMemory.of(new CacheConfig(bytes), new Budget(256 << 20), meters);
        Nodes nodes = NoPicking.nodes(new StillHead(HEAD, 64), this::answer);
        NetworkConfig network = ConfigText.network(
                NETWORK.name(), "verify = off, head.max-age = 1 h, upstreams.node.url = \"http://127.0.0.1:1\"");
        this.cache = NetworkCache.of(network, nodes, memory, meters, System::nanoTime);
        for (String method : new String[] {"eth_getBalance", "eth_call", "eth_getTransactionReceipt", "eth_getLogs"}) {
            stages.put(
                    method,
                    MethodPlans.behindChecks(cache, MethodCatalogue.ethereum().facts(method), this::answer));
        }
    }

    /** Runs the profile and prints its figures; ends with 1 where a bound did not hold. */
    public static void main(String[] arguments) throws Exception {
        long keys = Long.parseLong(arguments[0]);
        long bytes = Long.parseLong(arguments[1]) << 20;
        BoundProfile profile = new BoundProfile(keys, bytes);
        long empty = liveHeap();
        System.out.printf(
                Locale.ROOT, "heap %d MiB, results %d MiB, %d distinct keys%n", maxHeap() >> 20, bytes >> 20, keys);
        System.out.println(
                "keys asked | entries | MiB by the store | MiB of live heap for results | evicted | calls a second");
        boolean good = profile.run(empty, bytes);
        profile.memory.close();
        System.out.println(good ? "the bound held" : "THE BOUND DID NOT HOLD");
        if (!good) {
            System.exit(1);
        }
    }

    private boolean run(long empty, long bytes) throws InterruptedException {
        boolean good = true;
        long began = System.nanoTime();
        for (int sample = 1; sample <= SAMPLES; sample++) {
            ask(keys / SAMPLES * (sample - 1), keys / SAMPLES * sample);
            double seconds = (System.nanoTime() - began) / 1e9;
            long live = liveHeap() - empty;
            long told = memory.store().bytes();
            System.out.printf(
                    Locale.ROOT,
                    "%d | %d | %.1f | %.1f | %d | %.0f%n",
                    keys / SAMPLES * sample,
                    memory.store().entries(),
                    told / 1048576.0,
                    live / 1048576.0,
                    memory.store().evictions(),
                    asked.get() / seconds);
            good &= told <= bytes && live <= bytes * TOLERANCE;
        }
        System.out.printf(Locale.ROOT, "%d calls, %d of them to the node%n", asked.get(), nodeCalls.get());
        return good;
    }

    private void ask(long from, long to) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(THREADS);
        DefaultEventLoop[] loops = new DefaultEventLoop[THREADS];
        for (int i = 0; i < THREADS; i++) {
            loops[i] = new DefaultEventLoop();
            new Walk(loops[i], from + i, to, done).next();
        }
        done.await();
        for (DefaultEventLoop loop : loops) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }

    /** One loop's calls, a few hundred a turn. */
    private final class Walk {

        private static final int A_TURN = 256;

        private final EventLoop loop;
        private final long to;
        private final CountDownLatch done;
        private final SplittableRandom random;
        private long key;

        Walk(EventLoop loop, long from, long to, CountDownLatch done) {
            this.loop = loop;
            this.key = from;
            this.to = to;
            this.done = done;
            this.random = new SplittableRandom(from);
        }

        void next() {
            loop.execute(() -> {
                for (int i = 0; i < A_TURN && key < to; i++, key += THREADS) {
                    ask(loop, key);
                    if (random.nextInt(5) == 0) {
                        ask(loop, Math.max(0, key - random.nextLong(20_000)));
                    }
                }
                if (key < to) {
                    next();
                } else {
                    done.countDown();
                }
            });
        }
    }

    private void ask(EventLoop loop, long key) {
        String method = method(key);
        RawJson params = RawJson.of(params(method, key));
        MethodParams shape = MethodCatalogue.ethereum().facts(method).params();
        Stage stage = stages.get(method);
        if (shape == null || stage == null) {
            throw new IllegalStateException(method);
        }
        long now = System.nanoTime();
        RpcCall call = new RpcCall(RawJson.of("1"), method, params);
        CallContext context =
                new CallContext(call, Caller.PROXY, NETWORK, loop, now, now + TimeUnit.SECONDS.toNanos(60));
        try {
            context.checked(shape.check(params));
        } catch (InvalidParamsException e) {
            throw new IllegalStateException(params.toString(), e);
        }
        asked.incrementAndGet();
        stage.handle(context, reply -> {
            if (!(reply instanceof RpcReply.Result)) {
                throw new IllegalStateException("reply: " + reply);
            }
        });
    }

    private static String method(long key) {
        int kind = (int) (key % 20);
        return kind < 8
                ? "eth_getBalance"
                : kind < 15 ? "eth_call" : kind < 19 ? "eth_getTransactionReceipt" : "eth_getLogs";
    }

    private static String params(String method, long key) {
        String address = "\"0x" + hex(key % ADDRESSES, 40) + '"';
        String block = "\"0x" + Long.toHexString(1 + key % (HEAD - 1_000)) + '"';
        return switch (method) {
            case "eth_getBalance" -> "[" + address + "," + block + "]";
            case "eth_call" -> "[{\"data\":\"0x70a08231" + hex(key, 64) + "\",\"to\":" + address + "}," + block + "]";
            case "eth_getTransactionReceipt" -> "[\"0x" + hex(key * 0x9E3779B97F4A7C15L & Long.MAX_VALUE, 64) + "\"]";
            default -> "[{\"fromBlock\":" + block + ",\"toBlock\":" + block + "}]";
        };
    }

    private static String hex(long number, int digits) {
        String text = Long.toHexString(number);
        return ZEROS.substring(0, digits - text.length()) + text;
    }

    /** The node: answers of the sizes that such calls have. */
    private void answer(CallContext context, ReplySink sink) {
        nodeCalls.incrementAndGet();
        String method = context.call().method();
        String params = String.valueOf(context.call().params());
        String answer = switch (method) {
            case "eth_getBalance" -> "\"0x" + Integer.toHexString(params.hashCode()) + "0000000000\"";
            case "eth_call" -> "\"0x" + ZEROS.substring(0, 64 * (1 + Math.floorMod(params.hashCode(), 8))) + '"';
            case "eth_getTransactionReceipt" -> receipt(params);
            case "eth_getLogs" -> LOGS;
            case "eth_getBlockByNumber" -> "null";
            default -> throw new IllegalStateException(method);
        };
        context.trace().answeredBy("node", 1);
        sink.accept(new RpcReply.Result(RawJson.of(answer)));
    }

    private static String receipt(String params) {
        String hash = params.substring(2, params.length() - 2);
        String logs = ZEROS.substring(0, 400 + Math.floorMod(params.hashCode(), 1_000));
        return "{\"blockHash\":\"0x" + hex(1, 64) + "\",\"blockNumber\":\"0x10\",\"transactionHash\":\"" + hash
                + "\",\"transactionIndex\":\"0x0\",\"logs\":[\"" + logs + "\"],\"logsBloom\":\"0x"
                + ZEROS.substring(0, 512) + "\"}";
    }

    private static long liveHeap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long maxHeap() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
    }
}
