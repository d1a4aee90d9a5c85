package io.weir.pipeline.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.upstream.FakeHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tags of finality within log filters. */
class LogTagStageTest {

    private static final String HASH = "0x" + "ab".repeat(32);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final FakeHead head = new FakeHead(TimeUnit.MINUTES.toNanos(1));
    private final List<RpcReply> replies = new ArrayList<>();
    private BlockSelector block = BlockSelector.NONE;
    private String sent = "nothing";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'fromBlock':'0x1','toBlock':'finalized'} | {'fromBlock':'0x1','toBlock':'0x24'}",
                "{'fromBlock':'finalized'} | {'fromBlock':'0x24'}",
                "{'toBlock':'safe','fromBlock':'finalized','topics':[null]} |"
                        + " {'fromBlock':'0x24','toBlock':'0x24','topics':[null]}",
                "{'fromBlock':'safe','toBlock':'latest'} | {'fromBlock':'0x24','toBlock':'latest'}",
                "{'fromBlock':'earliest','toBlock':'pending'} | {'fromBlock':'earliest','toBlock':'pending'}",
                "{} | {}"
            })
    void theAgreedNumberReplacesTagsOfFinalityOnly(String filter, String expected) {
        agreed(36);
        call(filter.replace('\'', '"'));
        assertThat(sent).isEqualTo("[" + expected.replace('\'', '"') + "]");
    }

    @Test
    void theCallIsThenAboutTheLastBlockOfTheRange() {
        agreed(36);
        call("{\"fromBlock\":\"0x1\",\"toBlock\":\"finalized\"}");
        assertThat(block).isEqualTo(new BlockSelector.Height(36));
        call("{\"fromBlock\":\"finalized\"}");
        assertThat(block).isEqualTo(new BlockSelector.Tag(BlockTag.LATEST));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'fromBlock':'0x25','toBlock':'finalized'}",
                "{'toBlock':'safe','fromBlock':'0x7fffffffffffffff'}",
                "{'fromBlock':'finalized','toBlock':'0x23'}"
            })
    void aRangeThatHasNoBlockYetHasNoLogsAsAtANode(String filter) {
        agreed(36);
        call(filter.replace('\'', '"'));
        assertThat(sent).isEqualTo("nothing");
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.EMPTY_ARRAY));
    }

    @Test
    void aRangeUpToTheFirstBlockMayHaveNoBlockToo() {
        agreed(0);
        call("{\"fromBlock\":\"0x1\",\"toBlock\":\"finalized\"}");
        assertThat(sent).isEqualTo("nothing");
    }

    @ParameterizedTest
    @CsvSource({"100, 1", "116, 2", "117, 1"})
    void nodesAreAskedForTheHeadOnceMoreIfARangeBeginsALittleAboveIt(long from, int asked) {
        head.named.addAll(List.of(100L, 100L, 100L));
        call("{\"fromBlock\":\"0x%x\",\"toBlock\":\"latest\"}".formatted(from));
        assertThat(head.asked).isEqualTo(asked);
        assertThat(sent).contains(from > 100 ? "latest" : "0x64");
    }

    @Test
    void numbersInTheWrongOrderAreLeftToTheNodes() {
        agreed(36);
        call("{\"fromBlock\":\"0x25\",\"toBlock\":\"0x24\"}");
        assertThat(sent).contains("0x25");
    }

    @Test
    void aFilterOfOneBlockPasses() {
        agreed(36);
        call("{\"blockHash\":\"" + HASH + "\"}");
        assertThat(sent).contains(HASH);
    }

    @Test
    void theCallFailsWhileNodesAgreeOnNothing() {
        ofThree();
        call("{\"fromBlock\":\"0x1\",\"toBlock\":\"finalized\"}");
        assertThat(sent).isEqualTo("nothing");
        assertThat(replies).singleElement().asString().contains("finalized: nodes name no common block yet");
    }

    @Test
    void aNumberBelowTheHeadReplacesATagThatNoNodeEverNamed() {
        lacking();
        head.named.add(100L);
        call("{\"fromBlock\":\"0x1\",\"toBlock\":\"finalized\"}");
        assertThat(sent).contains("\"toBlock\":\"0x24\"");
        assertThat(head.finality.agreed(BlockTag.FINALIZED).number()).isEqualTo(36);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void theHeadReplacesTheTagOfTheNewestBlockFromTheFirstBlockOn(long number) {
        head.named.add(number);
        call("{\"fromBlock\":\"0x0\",\"toBlock\":\"latest\"}");
        assertThat(sent).contains("\"toBlock\":\"0x%x\"".formatted(number));
    }

    @Test
    void theOnlyNodeOfANetworkGetsTheTag() {
        call("{\"fromBlock\":\"0x1\",\"toBlock\":\"finalized\"}");
        assertThat(sent).contains("finalized");
    }

    private void ofThree() {
        head.finality = new Finality(head.tracker(), 3, 64, true, System::nanoTime);
    }

    private void agreed(long number) {
        ofThree();
        for (BlockTag tag : List.of(BlockTag.SAFE, BlockTag.FINALIZED)) {
            Finalities.agree(head.finality, tag, number, "");
        }
    }

    private void lacking() {
        ofThree();
        for (BlockTag tag : List.of(BlockTag.SAFE, BlockTag.FINALIZED)) {
            Finalities.lack(head.finality, tag);
        }
    }

    private void call(String filter) {
        long start = System.nanoTime();
        RpcCall call = new RpcCall(RawJson.of("1"), "eth_getLogs", RawJson.of("[" + filter + "]"));
        CallContext context = new CallContext(
                call,
                Caller.PROXY,
                new NetworkId("n"),
                channel.eventLoop(),
                start,
                start + TimeUnit.SECONDS.toNanos(10));
        try {
            context.checked(
                    MethodCatalogue.ethereum().facts("eth_getLogs").params().check(call.params()));
        } catch (InvalidParamsException e) {
            throw new AssertionError(e);
        }
        new LogTagStage(head, (at, sink) -> {
                    sent = String.valueOf(at.call().params());
                    block = at.checkedParams().block();
                    sink.accept(new RpcReply.Result(RawJson.EMPTY_ARRAY));
                })
                .handle(context, replies::add);
    }
}
