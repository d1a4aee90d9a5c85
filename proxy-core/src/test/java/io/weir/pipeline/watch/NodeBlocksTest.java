package io.weir.pipeline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.chain.BlockLink;
import io.weir.chain.FinalityAgreement.Agreed;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockTag;
import io.weir.pipeline.watch.BlockSource.Finalized;
import io.weir.pipeline.watch.BlockSource.Named;
import io.weir.upstream.NetworkFinality;
import io.weir.verify.ChainRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the proxy learns about blocks from replies of nodes. */
class NodeBlocksTest {

    private static final String HASH = "0x" + "a".repeat(64);
    private static final String PARENT = "0x" + "b".repeat(64);
    private static final String BLOCK =
            "{\"number\":\"0x10\",\"hash\":\"%s\",\"parentHash\":\"%s\"}".formatted(HASH, PARENT);
    private static final Named NAMED = new Named(new BlockLink(16, HASH, PARENT), "node");

    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private RpcReply reply = result(BLOCK);
    private @Nullable String answeredBy = "node";

    private static RpcReply result(String json) {
        return new RpcReply.Result(RawJson.of(json));
    }

    private NodeBlocks blocks(@Nullable ChainRules rules, @Nullable NetworkFinality finality) {
        return new NodeBlocks(
                new NetworkId("net"),
                (context, sink) -> {
                    if (answeredBy != null) {
                        context.trace().answeredBy(answeredBy, 1);
                    }
                    sink.accept(reply);
                },
                rules,
                finality,
                null,
                new ShownBlocks());
    }

    private static Finalized onlyOne(List<Finalized> told) {
        assertThat(told).hasSize(1);
        return told.get(0);
    }

    private Finalized agreed(Agreed agreed) {
        List<Finalized> told = new ArrayList<>();
        NetworkFinality finality = new NetworkFinality() {
            @Override
            public void whenKnown(EventLoop caller, BlockTag tag, long deadlineNanos, Consumer<Agreed> sink) {
                assertThat(tag).isEqualTo(BlockTag.FINALIZED);
                sink.accept(agreed);
            }

            @Override
            public void used(BlockTag tag, long number) {}
        };
        blocks(null, finality).finalized(loop, 0, told::add);
        return onlyOne(told);
    }

    private Finalized finalized(RpcReply answer) {
        reply = answer;
        List<Finalized> told = new ArrayList<>();
        blocks(null, null).finalized(loop, 0, told::add);
        return onlyOne(told);
    }

    private @Nullable Named byHash(@Nullable ChainRules rules, String hash) {
        List<@Nullable Named> told = new ArrayList<>();
        blocks(rules, null).byHash(loop, hash, 0, told::add);
        assertThat(told).hasSize(1);
        return told.get(0);
    }

    @Test
    void severalNodesThatLackTheTagHaveNoFinalBlock() {
        assertThat(agreed(new Agreed(-1, null, true))).isEqualTo(new Finalized(true, -1, null));
    }

    @Test
    void theFinalBlockOfSeveralNodesIsTheOneOnWhichTheyAgree() {
        assertThat(agreed(new Agreed(16, HASH, false))).isEqualTo(new Finalized(false, 16, HASH));
        assertThat(agreed(new Agreed(-1, null, false))).as("unknown yet").isEqualTo(new Finalized(false, -1, null));
    }

    @Test
    void theOnlyNodeHasNoFinalBlockIfItAnswersWithNullOrAnErrorOfItsOwn() {
        assertThat(finalized(result(BLOCK))).isEqualTo(new Finalized(false, 16, HASH));
        assertThat(finalized(result("null"))).isEqualTo(new Finalized(true, -1, null));
        assertThat(finalized(RpcReply.failure(new RpcError(-32602, "unknown tag", null))))
                .isEqualTo(new Finalized(true, -1, null));
    }

    @Test
    void nothingIsKnownOfTheFinalBlockIfTheOnlyNodeCannotBeAskedOrSendsNoBlock() {
        Finalized unknown = new Finalized(false, -1, null);
        assertThat(finalized(RpcReply.unavailable("no node"))).isEqualTo(unknown);
        assertThat(finalized(result("{}"))).isEqualTo(unknown);
    }

    @Test
    void aBlockThatWasAskedForByItsHashMustHaveThatHash() {
        assertThat(byHash(null, HASH)).isEqualTo(NAMED);
        assertThat(byHash(null, PARENT)).isNull();
    }

    @Test
    void aBlockWhoseHashIsFalseIsNotTakenIfTheNetworkVerifies() {
        assertThat(byHash(ChainRules.ETHEREUM, HASH)).isNull();
    }

    @Test
    void aBlockThatNoNodeNamedIsNotTaken() {
        answeredBy = null;
        assertThat(byHash(null, HASH)).isNull();
    }
}
