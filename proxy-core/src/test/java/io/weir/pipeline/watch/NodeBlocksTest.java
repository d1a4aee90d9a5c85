package io.weir.pipeline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockIds;
import io.weir.pipeline.watch.BlockSource.Named;
import io.weir.verify.ChainRules;
import java.util.ArrayList;
import java.util.List;
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
    private final RpcReply reply = result(BLOCK);
    private @Nullable String answeredBy = "node";

    private static RpcReply result(String json) {
        return new RpcReply.Result(RawJson.of(json));
    }

    private NodeBlocks blocks(@Nullable ChainRules rules) {
        return new NodeBlocks(
                new NetworkId("net"),
                (context, sink) -> {
                    if (answeredBy != null) {
                        context.trace().answeredBy(answeredBy, 1);
                    }
                    sink.accept(reply);
                },
                rules,
                BlockIds.ETHEREUM,
                new ShownBlocks());
    }

    private @Nullable Named byHash(@Nullable ChainRules rules, String hash) {
        List<@Nullable Named> told = new ArrayList<>();
        blocks(rules).byHash(loop, hash, 0, told::add);
        assertThat(told).hasSize(1);
        return told.get(0);
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
