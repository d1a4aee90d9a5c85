package io.weir.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.EthereumKind;
import io.weir.api.NetworkKind;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.InvalidParamsException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainCallsTest {

    private static final String HASH = "0x" + "ab".repeat(32);

    private static CheckedParams checked(RpcCall call) throws InvalidParamsException {
        MethodFacts facts = MethodCatalogue.ethereum().facts(call.method());
        return facts.params().check(call.params());
    }

    @Test
    void everyCallNamesAMethodOfTheCatalogueWithParametersInNormalForm() throws InvalidParamsException {
        List<RpcCall> calls = List.of(
                ChainCalls.blockByHash(HASH, true),
                ChainCalls.blockByHash(HASH, false),
                ChainCalls.blockByNumber(1_000),
                ChainCalls.blockByQuantity("0x3e8", true),
                ChainCalls.blockByTag(BlockTag.FINALIZED),
                ChainCalls.receipts(HASH),
                ChainCalls.receipts("0x3e8"),
                ChainCalls.uncle(HASH, 1),
                ChainCalls.transaction(HASH),
                ChainCalls.uninstallFilter(RawJson.of("\"0x1\"")));
        for (RpcCall call : calls) {
            assertThat(MethodCatalogue.ethereum().knows(call.method()))
                    .as(call.method())
                    .isTrue();
            assertThat(checked(call).json()).as(call.method()).isEqualTo(call.params());
        }
        EthereumKind kind = new EthereumKind();
        assertThat(List.of(kind.chainIdCall(), kind.headCall(), kind.syncingCall()))
                .extracting(NetworkKind.ProbeCall::method)
                .allMatch(MethodCatalogue.ethereum()::knows);
    }

    @Test
    void theFormOfEthereumNamesABlockAsTheCallsOfTheCatalogueDo() throws InvalidParamsException {
        for (BlockSelector block : List.of(
                new BlockSelector.Height(1_000),
                new BlockSelector.Hash(HASH, false),
                new BlockSelector.Tag(BlockTag.LATEST),
                new BlockSelector.Tag(BlockTag.SAFE),
                new BlockSelector.Tag(BlockTag.FINALIZED))) {
            RpcCall call = BlockIds.ETHEREUM.call(block);
            CheckedParams params = checked(call);
            assertThat(params.json()).isEqualTo(call.params());
            assertThat(params.block()).isEqualTo(block);
            assertThat(BlockIds.ETHEREUM.read(params.values().get(0))).isEqualTo(block);
        }
    }

    @Test
    void aWholeBlockIsAskedForAsTheOtherCallNamesIt() throws InvalidParamsException {
        RawJson latest = RawJson.of("\"latest\"");
        RpcCall byTag = ChainCalls.wholeBlock(new BlockSelector.Tag(BlockTag.LATEST), latest);
        assertThat(byTag.method()).isEqualTo("eth_getBlockByNumber");
        assertThat(byTag.params()).isEqualTo(RawJson.of("[\"latest\",true]"));
        RawJson hash = RawJson.of("{\"blockHash\":\"" + HASH + "\"}");
        RpcCall byHash = ChainCalls.wholeBlock(new BlockSelector.Hash(HASH, false), hash);
        assertThat(byHash.method()).isEqualTo("eth_getBlockByHash");
        assertThat(byHash.params()).isEqualTo(RawJson.of("[\"" + HASH + "\",true]"));
    }

    @Test
    void everyCallForABlockSaysWhichBlock() throws InvalidParamsException {
        assertThat(checked(ChainCalls.blockByNumber(1_000)).block()).isEqualTo(new BlockSelector.Height(1_000));
        assertThat(checked(ChainCalls.blockByTag(BlockTag.LATEST)).block())
                .isEqualTo(new BlockSelector.Tag(BlockTag.LATEST));
        assertThat(checked(ChainCalls.blockByHash(HASH, true)).lookupHash()).isEqualTo(HASH);
        assertThat(checked(ChainCalls.uncle(HASH, 16)).values()).last().isEqualTo(RawJson.of("\"0x10\""));
    }
}
