package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.NetworkId;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.verify.ChainVectors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A block that is consistent in itself, and not the chain's: told by one of several upstreams. */
class AnchorsTest {

    private static final ChainVectors VECTORS = new ChainVectors();

    private final VectorChain honest = new VectorChain(VECTORS);
    private final Entry forged = forge(honest.at(54));
    private final VectorChain forging = new VectorChain(VECTORS).put(forged);
    private ServingFixture weir;

    @AfterEach
    void close() {
        weir.close();
    }

    /** The same with other extra data, and all that follows from that. */
    static Entry forge(Entry original) {
        Entry copy = original.copy();
        ObjectNode block = copy.block();
        block.put("extraData", "0x666f72676564");
        BlockHeaderBuilder builder = BlockHeader.builder();
        for (HeaderField field : HeaderField.values()) {
            if (block.hasNonNull(field.jsonName())) {
                builder.hex(field, block.get(field.jsonName()).stringValue());
            }
        }
        String hash = builder.build().hash().hex();
        block.put("hash", hash);
        block.get("transactions").forEach(one -> ((ObjectNode) one).put("blockHash", hash));
        for (JsonNode receipt : copy.receipts()) {
            ((ObjectNode) receipt).put("blockHash", hash);
            receipt.get("logs").forEach(log -> ((ObjectNode) log).put("blockHash", hash));
        }
        return copy;
    }

    private void over(Verify verify, int upstreams, boolean forgerFirst) {
        weir = new ServingFixture(verify, Hashing.ETHEREUM, Unverifiable.REFUSE, upstreams);
        ServingFixture.serve(weir.pool.a, forgerFirst ? forging : honest);
        ServingFixture.serve(weir.pool.b, forgerFirst ? honest : forging);
        if (upstreams == 3) {
            HandNode c = new HandNode("c");
            ServingFixture.serve(c, honest);
            weir.pool.nodes.add(c);
        }
    }

    /** A lookup of each kind by number, by tag and by transaction hash. */
    private List<String[]> lookups() {
        List<String[]> lookups = new ArrayList<>();
        for (String named : List.of("\"0x36\"", "\"finalized\"")) {
            lookups.add(new String[] {"eth_getBlockByNumber", "[" + named + ",true]"});
            lookups.add(new String[] {"eth_getBlockByNumber", "[" + named + ",false]"});
            lookups.add(new String[] {"eth_getBlockReceipts", "[" + named + "]"});
            lookups.add(new String[] {"eth_getTransactionByBlockNumberAndIndex", "[" + named + ",\"0x1\"]"});
            lookups.add(new String[] {"eth_getBlockTransactionCountByNumber", "[" + named + "]"});
            lookups.add(new String[] {"eth_getUncleCountByBlockNumber", "[" + named + "]"});
            lookups.add(new String[] {"eth_getUncleByBlockNumberAndIndex", "[" + named + ",\"0x0\"]"});
        }
        lookups.add(new String[] {"eth_getLogs", "[{\"fromBlock\":\"0x36\",\"toBlock\":\"0x36\"}]"});
        String transaction =
                forged.block().get("transactions").get(1).get("hash").stringValue();
        lookups.add(new String[] {"eth_getTransactionByHash", "[\"" + transaction + "\"]"});
        lookups.add(new String[] {"eth_getTransactionReceipt", "[\"" + transaction + "\"]"});
        return lookups;
    }

    @ParameterizedTest
    @CsvSource({"BEFORE_SERVING, true", "BEFORE_SERVING, false", "BEFORE_CACHING, true", "BEFORE_CACHING, false"})
    void whereTwoUpstreamsDifferNoBlockIsKeptAsFinalOrCalledVerified(Verify verify, boolean forgerFirst) {
        for (String[] lookup : lookups()) {
            over(verify, 2, forgerFirst);
            String what = String.join("", lookup);
            for (int i = 0; i < 2; i++) {
                Answer answer = weir.ask(lookup[0], lookup[1]);
                assertThat(answer.verified()).as(what).isEmpty();
                assertThat(answer.cache()).as(what).isEqualTo("fwd=uri-miss");
                weir.settle();
            }
            weir.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThirdUpstreamDecides(boolean forgerFirst) {
        for (String[] lookup : lookups()) {
            over(Verify.BEFORE_SERVING, 3, forgerFirst);
            String what = String.join("", lookup);
            Answer answer = weir.ask(lookup[0], lookup[1]);
            JsonNode truth = honest.answer(lookup[0], VectorChain.JSON.readTree(lookup[1]));
            assertThat(answer.json()).as(what).isEqualTo(truth);
            assertThat(answer.verified()).as(what).isNotEmpty();
            HandNode forger = forgerFirst ? weir.pool.a : weir.pool.b;
            assertThat(forger.refuted)
                    .as(what)
                    .singleElement()
                    .asString()
                    .startsWith("OTHER_BLOCK costs: block 54: 0x");
            weir.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatTwoUpstreamsAgreeOnIsKeptAndCalledVerified(boolean forgerFirst) {
        over(Verify.BEFORE_SERVING, 2, forgerFirst);
        String params = "[\"0x28\",true]";
        assertThat(weir.ask("eth_getBlockByNumber", params).verified()).isEqualTo("header, transactions, place");
        weir.settle();
        Answer again = weir.ask("eth_getBlockByNumber", params);
        assertThat(again.cache()).startsWith("hit");
        assertThat(again.verified()).isEqualTo("header, transactions, place");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEFORE_SERVING", "BEFORE_CACHING"})
    void anOrphanAskedForByItsHashIsProvenAndSaysNothingOfItsHeight(Verify verify) {
        over(verify, 2, true);
        weir.ask("eth_getBlockByHash", "[\"" + forged.hash() + "\",true]");
        weir.settle();
        ServingFixture.serve(weir.pool.a, honest);
        Answer byNumber = weir.ask("eth_getBlockByNumber", "[\"0x36\",true]");
        assertThat(byNumber.json().get("hash").stringValue())
                .isEqualTo(honest.at(54).hash());
        String transaction =
                forged.block().get("transactions").get(1).get("hash").stringValue();
        Answer receipt = weir.ask("eth_getTransactionReceipt", "[\"" + transaction + "\"]");
        assertThat(receipt.json().get("blockHash").stringValue())
                .isEqualTo(honest.at(54).hash());
    }

    @Test
    void theViewOfOneUpstreamIsHeldAgainstAnothersWordOnceItIsFinal() {
        over(Verify.BEFORE_CACHING, 2, false);
        ChainView view = new ChainView();
        JsonNode block = honest.at(40).block();
        BlockLink link = new BlockLink(
                40, block.get("hash").stringValue(), block.get("parentHash").stringValue());
        view.restart(List.of(link), "a");
        Finality finalized = Finalities.alone();
        Finalities.raise(finalized, 54);
        Anchors anchors = weir.anchors(new NetworkChain(view, finalized, null, null, new ShownBlocks()));
        ServingFixture.serve(weir.pool.b, new VectorChain(VECTORS).put(forge(honest.at(40))));
        weir.onLoop(loop -> anchors.confirmView(new NetworkId("net"), loop));
        assertThat(view.isAgreed(40)).as("the other names another block").isFalse();
        ServingFixture.serve(weir.pool.b, honest);
        weir.onLoop(loop -> anchors.confirmView(new NetworkId("net"), loop));
        assertThat(view.isAgreed(40)).isTrue();
        assertThat(weir.pool.a.asked).as("who named it is not asked").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEFORE_SERVING", "BEFORE_CACHING"})
    void withOneUpstreamNothingByNumberIsCalledVerified(Verify verify) {
        over(verify, 1, true);
        weir.pool.nodes.remove(weir.pool.b);
        for (int i = 0; i < 2; i++) {
            assertThat(weir.ask("eth_getBlockByNumber", "[\"0x36\",true]").verified())
                    .isEmpty();
            weir.settle();
        }
    }
}
