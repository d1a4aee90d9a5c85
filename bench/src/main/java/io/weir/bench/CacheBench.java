package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.bench.fixture.LargeBlock;
import io.weir.bench.fixture.StagesBeforeBlock;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultStore;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ResultKind;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Answering from memory, from the call's parameters to its reply, what a miss costs, and keeping a result, with others
 * evicted for it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CacheBench {

    private static final int CALLS = 1000;
    private static final long STORE_BYTES = 64L << 20;
    private static final int RESULT_BYTES = 700;

    /** The position of the address's last digit in the parameters of a balance. */
    private static final int ADDRESS_END = 43;

    private final StagesBeforeBlock stages = new StagesBeforeBlock();
    private final String transaction = "[\""
            + stages.block().transactions().get(StagesBeforeBlock.INDEX).hash().hex() + "\"]";
    private final ResultStore store = new ResultStore(STORE_BYTES);
    private final byte[] result = ("\"0x" + "5".repeat(RESULT_BYTES - 4) + '"').getBytes(UTF_8);
    private final byte[] balance =
            ("[\"0x" + "0".repeat(40) + "\",\"0x" + Long.toHexString(LargeBlock.NUMBER) + "\"]").getBytes(UTF_8);
    private long next;

    /** Asks until the block is kept. */
    @Setup
    public void fill() throws Exception {
        stages.awaitHit("eth_getBalance", new String(balance, UTF_8));
        stages.awaitHit("eth_getBlockByNumber", StagesBeforeBlock.BLOCK);
        stages.awaitHit("eth_getBlockReceipts", StagesBeforeBlock.RECEIPTS);
        stages.awaitHit("eth_getTransactionByBlockNumberAndIndex", StagesBeforeBlock.TRANSACTION);
        stages.awaitHit("eth_getTransactionReceipt", transaction);
    }

    /** Ends the threads. */
    @TearDown
    public void end() {
        stages.close();
    }

    /** A block that is kept: parameters checked, found, given out without a copy. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int hit() throws Exception {
        return onLoop(() -> stages.ask("eth_getBlockByNumber", StagesBeforeBlock.BLOCK));
    }

    /** A transaction that is cut out of the block, in the middle of it. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int derivedTransaction() throws Exception {
        return onLoop(() -> stages.ask("eth_getTransactionByBlockNumberAndIndex", StagesBeforeBlock.TRANSACTION));
    }

    /** The same transaction's receipt, cut out of the block's. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int derivedReceipt() throws Exception {
        return onLoop(() -> stages.ask("eth_getTransactionReceipt", transaction));
    }

    /**
     * A balance that nobody asked for: looked for, sent on, answered there at once, and kept. The cost of a miss beside the node.
     */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int miss() throws Exception {
        return onLoop(this::unknownBalance);
    }

    private RpcReply unknownBalance() {
        byte[] params = balance.clone();
        long address = ++next;
        for (int at = ADDRESS_END; address != 0; at--) {
            params[at] = (byte) Character.forDigit((int) (address & 15), 16);
            address >>>= 4;
        }
        return stages.ask("eth_getBalance", RawJson.of(params));
    }

    /** A result of 700 bytes under a key that is new, in a store that is full. */
    @Benchmark
    public boolean store() {
        RawJson params = RawJson.of("[\"0x" + Long.toHexString(++next) + "\"]");
        CachedResult kept = new CachedResult(
                RawJson.slice(result.clone(), 0, result.length),
                ResultKind.RECEIPT,
                "",
                new CachedResult.BlockRef(next, null, CachedResult.ANY_STAMP),
                true);
        return store.put(new CallKey("mainnet", "eth_getTransactionReceipt", params), kept, store.purges());
    }

    /** A thousand calls are one turn of the loop. */
    private int onLoop(Supplier<RpcReply> call) throws Exception {
        return stages.loop()
                .submit(() -> {
                    int bytes = 0;
                    for (int i = 0; i < CALLS; i++) {
                        bytes += ((RpcReply.Result) call.get()).value().length();
                    }
                    return bytes;
                })
                .get();
    }
}
