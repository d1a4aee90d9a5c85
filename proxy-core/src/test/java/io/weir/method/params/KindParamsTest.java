package io.weir.method.params;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.BlockForm;
import io.weir.api.NetworkMethod.Parameter;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.InvalidParamsException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KindParamsTest {

    private static final BlockIds BLOCKS = BlockIds.of(new BlockForm(
            "net_block",
            "latest",
            Set.of("pending"),
            "accepted",
            new BlockForm.Status(Set.of("status", "finality_status"), "FINAL"),
            new BlockForm.Members("block_number", "block_hash", "parent_hash", "timestamp")));

    private static final KindParams RANGE =
            new KindParams(BLOCKS, List.of(Parameter.range("filter", "from", "to"), Parameter.other("more")));

    private final KindParams second =
            new KindParams(BLOCKS, List.of(Parameter.other("request"), Parameter.block("block_id")));

    @Test
    void anEvmNetworkGetsTheNumberOfTheNewestBlockInHex() throws InvalidParamsException {
        KindParams evm = new KindParams(BlockIds.ETHEREUM, List.of(Parameter.block("block")));
        CheckedParams latest = evm.check(RawJson.of("[\"latest\"]"));
        assertThat(latest.atHeight(20).json()).hasToString("[\"0x14\"]");
        assertThat(evm.check(RawJson.of("[\"0x14\"]")).block()).isEqualTo(new BlockSelector.Height(20));
        assertThat(evm.check(RawJson.of("[{\"n\":1}]")).block()).isEqualTo(BlockSelector.NONE);
    }

    private CheckedParams check(String params) throws InvalidParamsException {
        return second.check(RawJson.of(params));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"a\":[1]},\"latest\"]|[{\"a\":[1]},{\"block_number\":7}]",
                "[ 1 , \"latest\" , 3 ]|[ 1 , {\"block_number\":7} , 3 ]",
                "[1]|[1,{\"block_number\":7}]",
                "{\"block_id\": \"latest\", \"request\":{\"block_id\":1}}"
                        + "|{\"block_id\": {\"block_number\":7}, \"request\":{\"block_id\":1}}",
                "{\"request\":\"ü\",\"block_id\":\"latest\"}|{\"request\":\"ü\",\"block_id\":{\"block_number\":7}}",
                "{\"request\":1}|{\"request\":1,\"block_id\":{\"block_number\":7}}",
                "{}|{\"block_id\":{\"block_number\":7}}",
            })
    void theNewestBlockIsReplacedWhereItIsNamedOrLeftOut(String given, String held) throws Exception {
        CheckedParams checked = check(given);
        assertThat(checked.block()).isEqualTo(new BlockSelector.Tag(BlockTag.LATEST));
        assertThat(checked.json()).hasToString(given);
        CheckedParams first = checked.atHeight(7);
        assertThat(first.json()).hasToString(held);
        assertThat(first.block()).isEqualTo(new BlockSelector.Height(7));
        assertThat(first.atHeight(12).json()).hasToString(held.replace(":7}", ":12}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"a\":1,\"to\":\"latest\"}]|[{\"a\":1,\"to\":{\"block_number\":7}}]",
                "[{\"to\":\"latest\",\"k\":[\"ü\"],\"from\":\"latest\"},2]"
                        + "|[{\"to\":{\"block_number\":7},\"k\":[\"ü\"],\"from\":{\"block_number\":7}},2]",
                "{\"filter\":{\"from\":{\"block_number\":3},\"to\":\"latest\"}}"
                        + "|{\"filter\":{\"from\":{\"block_number\":3},\"to\":{\"block_number\":7}}}",
            })
    void theLastBlockOfARangeIsReplacedAndTheFirstWhereItIsTheSame(String given, String held) throws Exception {
        CheckedParams checked = RANGE.check(RawJson.of(given));
        assertThat(checked.block()).isEqualTo(new BlockSelector.Tag(BlockTag.LATEST));
        CheckedParams first = checked.atHeight(7);
        assertThat(first.json()).hasToString(held);
        assertThat(first.atHeight(12).json()).hasToString(held.replace(":7}", ":12}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "[5]", "[{\"from\":\"latest\"}]", "[{\"to\":null}]", "[null]"})
    void aRangeWithoutALastBlockIsLeftToNodes(String params) throws Exception {
        CheckedParams checked = RANGE.check(RawJson.of(params));
        assertThat(checked.block()).isEqualTo(BlockSelector.NONE);
        assertThat(checked.blockIndex()).isEqualTo(-1);
        assertThat(checked.json()).hasToString(params);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[1,null]",
                "[1,\"unheard\"]",
                "[1,{}]",
                "[1,{\"block_number\":\"0x1\"}]",
                "[1,{\"block_hash\":\"a\"}]",
                "[1,5]"
            })
    void aBlockThatTheProxyCannotReadIsLeftToNodes(String params) throws Exception {
        CheckedParams checked = check(params);
        assertThat(checked.block()).isEqualTo(BlockSelector.NONE);
        assertThat(checked.blockIndex()).isEqualTo(-1);
        assertThat(checked.json()).hasToString(params);
    }

    @Test
    void tagsNumbersAndHashesAreRead() throws Exception {
        assertThat(check("[1,\"pending\"]").block()).isEqualTo(new BlockSelector.Tag(BlockTag.PENDING));
        assertThat(check("[1,\"accepted\"]").block()).isEqualTo(new BlockSelector.Tag(BlockTag.FINALIZED));
        assertThat(check("[1,{\"block_number\":640000}]").block()).isEqualTo(new BlockSelector.Height(640_000));
        assertThat(check("{\"block_id\":{\"block_hash\":\"0xab\"}}").block())
                .isEqualTo(new BlockSelector.Hash("0xab", false));
        assertThat(check("[1,{\"block_hash\":\"0x00AB\"}]").block())
                .as("in the one form of all nodes")
                .isEqualTo(new BlockSelector.Hash("0xab", false));
    }

    @Test
    void aMethodWithoutABlockTakesAnything() throws Exception {
        KindParams none = new KindParams(BLOCKS, List.of(Parameter.other("hash")));
        CheckedParams checked = none.check(null);
        assertThat(checked.json()).hasToString("[]");
        assertThat(checked.block()).isEqualTo(BlockSelector.NONE);
        assertThat(none.blockIndex()).isEqualTo(-1);
    }

    @Test
    void blocksAreAskedForByNumberHashAndTag() {
        assertThat(BLOCKS.call(new BlockSelector.Height(3)).params()).hasToString("[{\"block_number\":3}]");
        assertThat(BLOCKS.call(new BlockSelector.Hash("0xa", false)).params())
                .hasToString("[{\"block_hash\":\"0xa\"}]");
        assertThat(BLOCKS.call(new BlockSelector.Tag(BlockTag.FINALIZED)).params())
                .hasToString("[\"accepted\"]");
        assertThat(BLOCKS.call(new BlockSelector.Tag(BlockTag.SAFE))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"block_hash\":\"0x1\",\"status\":\"FINAL\",\"block_number\":9}|true",
                "{\"finality_status\":\"FINAL\",\"block_hash\":\"0x1\",\"block_number\":9}|true",
                "{\"status\":\"NEW\",\"block_hash\":\"0x1\",\"block_number\":9}|false",
                "{\"inner\":{\"status\":\"FINAL\"},\"block_hash\":\"0x1\",\"block_number\":9}|false",
                "[]|false",
            })
    void theStatusOfAnAnswerTellsWhetherItsBlockIsFinal(String answer, boolean isFinal) {
        assertThat(BLOCKS.isFinal(RawJson.of(answer))).isEqualTo(isFinal);
    }

    @Test
    void thePlaceOfABlockIsCutOutOfIt() {
        RawJson block = RawJson.of("{\"transactions\":[],\"block_number\":9,\"block_hash\":\"0xb\"}");
        assertThat(BLOCKS.height(block)).isEqualTo(9);
        assertThat(BLOCKS.place(block)).hasToString("{\"block_hash\":\"0xb\",\"block_number\":9}");
        assertThat(BLOCKS.place(RawJson.of("{\"block_number\":9}"))).isNull();
        assertThat(BlockIds.decimal(RawJson.of("-1"))).isEqualTo(-1);
        assertThat(BlockIds.decimal(RawJson.of("1234567890123456"))).isEqualTo(-1);
    }
}
