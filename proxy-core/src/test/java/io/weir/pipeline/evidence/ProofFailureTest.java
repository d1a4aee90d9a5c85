package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.chain.ChainView;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.NeededProof;
import io.weir.pipeline.evidence.Anchors.ClaimedBlock;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.HandBlocks;
import io.weir.pipeline.watch.HandBlocks.Finalized;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.upstream.FakeHead;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import io.weir.verify.ChainVectors;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failures in steps that run after a wait: the call is answered all the same. */
class ProofFailureTest {

    private static final ChainVectors VECTORS = new ChainVectors();

    private final ServingFixture weir =
            new ServingFixture(Verify.BEFORE_SERVING, Hashing.ETHEREUM, Unverifiable.REFUSE, 2);
    private final CompletableFuture<RpcReply> replied = new CompletableFuture<>();

    @AfterEach
    void close() {
        weir.close();
    }

    private CallContext guarded(EventLoop loop, String method) {
        long now = System.nanoTime();
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), method, RawJson.of("[\"0x28\",true]")),
                Caller.PROXY,
                new NetworkId("net"),
                loop,
                now,
                now + TimeUnit.MINUTES.toNanos(1));
        new CallGuard(context, replied::complete);
        return context;
    }

    private void assertInternalError() throws Exception {
        RpcReply reply = replied.get(30, TimeUnit.SECONDS);
        assertThat(((RpcReply.Failure) reply).error().message()).isEqualTo("internal error");
    }

    @Test
    void aCallIsAnsweredWhenBothItsProofAndTheNextStepFail() throws Exception {
        VerificationContext whole = weir.verification();
        VerificationContext failing = new VerificationContext(
                whole.executor(),
                whole.meters(),
                whole.misbehaviour(),
                whole.policy(),
                false,
                new ChainRules(ChainFamily.ETHEREUM, null),
                whole.known(),
                whole.calls());
        JudgeCheck check = new JudgeCheck(failing, MethodCatalogue.ethereum()::facts);
        check.provesBy(weir.nodes(), weir.anchors(null));
        String text = new VectorChain(VECTORS)
                .text("eth_getBlockByNumber", "[\"0x28\",true]")
                .toString();
        // Too large for the event loop.
        RawJson block = RawJson.of("{" + " ".repeat(20_000) + text.substring(1));
        weir.onLoop(loop -> {
            CallContext context = guarded(loop, "eth_getBlockByNumber");
            context.setRoute(context.route().provenBy(NeededProof.ofAll()));
            check.check(context, "a", block, outcome -> {
                throw new IllegalStateException("of this test");
            });
        });
        assertInternalError();
    }

    @Test
    void aCallIsAnsweredWhenTheStepAfterItsBlockIsFinalFails() throws Exception {
        VectorChain honest = new VectorChain(VECTORS);
        ServingFixture.serve(weir.pool.b, honest);
        FakeHead head = new FakeHead(TimeUnit.MINUTES.toNanos(1));
        head.named.add(1_000L);
        HandBlocks blocks = new HandBlocks();
        blocks.finalized = null;
        FinalityWatch finality = new FinalityWatch(blocks.naming(head), System::nanoTime);
        Anchors anchors =
                weir.anchors(new NetworkChain(new ChainView(), head.finality, null, finality, new ShownBlocks()));
        ClaimedBlock claim = new ClaimedBlock(40, honest.at(40).hash(), "a");
        weir.onLoop(loop -> anchors.find(guarded(loop, "eth_getBlockByNumber"), claim, standing -> {
            throw new IllegalStateException("of this test");
        }));
        weir.onLoop(loop -> blocks.release(new Finalized(false, 900, "0x900")));
        assertInternalError();
    }
}
