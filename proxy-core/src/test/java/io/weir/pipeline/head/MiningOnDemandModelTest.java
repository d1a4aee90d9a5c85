package io.weir.pipeline.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.upstream.FakeHead;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that read two hundred times a second and send transactions, for ten minutes of a clock set by hand. */
class MiningOnDemandModelTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int STEP_MILLIS = 5;
    private static final int STEPS = 10 * 60 * 1_000 / STEP_MILLIS;
    /** Fifty a second. */
    private static final int STEPS_A_WRITE = 4;

    private static final int NO_WRITES = Integer.MAX_VALUE;
    private static final RpcReply HASH = new RpcReply.Result(RawJson.of("\"0xabc\""));
    private static final RpcReply REFUSED = RpcReply.failure(new RpcError(-32000, "nonce too low", null));

    private final Random random = new Random(7);
    private final CallContext context = new CallContext(
            new RpcCall(RawJson.of("1"), "eth_sendRawTransaction", RawJson.of("[\"0x01\"]")),
            Caller.PROXY,
            new NetworkId("n"),
            new EmbeddedChannel().eventLoop(),
            0,
            Long.MAX_VALUE);
    private long now = 1_000 * MILLI;
    private HeadTracker tracker;
    private MiningOnDemand mining;
    private WriteStage stage;
    private RpcReply reply = HASH;
    private int asked;

    private void begin() {
        FakeHead head = new FakeHead(1_000 * MILLI, () -> now);
        tracker = head.tracker();
        mining = new MiningOnDemand("4242", false, () -> now);
        tracker.listen(mining);
        stage = new WriteStage(head, mining, (call, sink) -> {}, (call, sink) -> sink.accept(reply));
        asked = 0;
    }

    private long read(LongSupplier node) {
        if (!tracker.fresh()) {
            asked++;
            HeadMoment round = tracker.now();
            long named = node.getAsLong();
            tracker.named(round, named, true);
            tracker.end(round, named, true);
        }
        return tracker.number();
    }

    /** The share of reads, in percent, for which nodes were asked for the head. */
    private double asked(long blockMillis, int stepsAWrite) {
        begin();
        for (int step = 1; step <= STEPS; step++) {
            now += STEP_MILLIS * MILLI + random.nextInt(1_000);
            if (step % stepsAWrite == 0) {
                stage.handle(context, ignored -> {});
            }
            read(() -> now / (blockMillis * MILLI));
        }
        return 100.0 * asked / STEPS;
    }

    @ParameterizedTest
    @ValueSource(longs = {12_000, 2_000, 1_000, 400, 250})
    void transactionsCostAChainWithABlockTimeNextToNothing(long blockMillis) {
        double without = asked(blockMillis, NO_WRITES);
        assertThat(asked(blockMillis, STEPS_A_WRITE)).isLessThan(without + 1);
        assertThat(mining.isActive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {12_000, 2_000, 1_000, 400, 250})
    void refusedTransactionsCostAChainWithABlockTimeNothing(long blockMillis) {
        double without = asked(blockMillis, NO_WRITES);
        reply = REFUSED;
        assertThat(asked(blockMillis, STEPS_A_WRITE)).isLessThan(without + 0.5);
    }

    @Test
    void onAChainThatMinesOnDemandEveryReadAfterABlockSeesIt() {
        begin();
        long mined = 0;
        for (int i = 0; i < 2_000; i++) {
            long before = mined;
            stage.handle(context, ignored -> {});
            // As geth in its development mode does, whose answer comes before the block.
            now += random.nextInt(20) * MILLI;
            read(() -> before);
            mined++;
            if (i % 10 == 0) {
                // A client of the node itself.
                mined++;
            }
            long current = mined;
            now += random.nextInt(180) * MILLI;
            assertThat(read(() -> current)).as("transaction %s", i).isEqualTo(current);
            now += random.nextInt(2_000) * MILLI;
        }
    }
}
