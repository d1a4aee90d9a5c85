package io.weir.subscription;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.BlockForm;
import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.BlockIds;
import io.weir.subscription.stream.StreamBlock;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderFormTest {

    private final StreamBlocks.HeaderForm header = new StreamBlocks.HeaderForm(
            BlockIds.of(
                    new BlockForm("show", "newest", Set.of(), null, null, new BlockForm.Members("n", "h", "p", "t"))),
            List.of("h", "n", "root", "gas"));

    @Test
    void aHeaderHasItsMembersInTheirOrderAndHashesCompareWithoutLeadingZeros() {
        StreamBlock block = requireNonNull(
                header.read(
                        RawJson.of(
                                "{\"t\":1,\"txs\":[1,{\"h\":2}],\"root\":{\"a\":[1]},\"n\":12,\"p\":\"0x00B\",\"h\":\"0x0C\",\"gas\":null}")));
        assertThat(block.header()).hasToString("{\"h\":\"0x0C\",\"n\":12,\"root\":{\"a\":[1]}}");
        assertThat(block.link()).isEqualTo(new BlockLink(12, "0xc", "0xb"));
    }

    @Test
    void aHeaderOfEthereumHasEveryHashedFieldInOrderAndTheHash() {
        assertThat(SubscriptionForm.ETHEREUM.heads().members())
                .containsExactlyElementsOf(
                        Stream.concat(Arrays.stream(HeaderField.values()).map(HeaderField::jsonName), Stream.of("hash"))
                                .toList());
    }

    @Test
    void anEvmNetworkNamesBlocksInHexUnderItsOwnMembers() {
        BlockIds ids = BlockIds.of(BlockForm.ETHEREUM.withMembers(new BlockForm.Members("n", "h", "p", "t")));
        String hash = "0x" + "0A".repeat(32);
        String parent = "0x" + "0b".repeat(32);
        StreamBlocks.HeaderForm form = new StreamBlocks.HeaderForm(ids, List.of("n"));
        String block = "{\"n\":\"0x1F\",\"h\":\"" + hash + "\",\"p\":\"" + parent + "\"}";
        assertThat(requireNonNull(form.read(RawJson.of(block))).link())
                .isEqualTo(new BlockLink(31, hash.toLowerCase(Locale.ROOT), parent));
        assertThat(form.read(RawJson.of(block.replace(parent, "0xb")))).isNull();
        assertThat(form.read(RawJson.of(block.replace("\"0x1F\"", "31")))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "7",
                "{}",
                "{\"n\":1,\"p\":\"0x1\"}",
                "{\"n\":-1,\"p\":\"0x1\",\"h\":\"0x2\"}",
                "{\"n\":\"0x1\",\"p\":\"0x1\",\"h\":\"0x2\"}",
                "{\"n\":1,\"p\":\"1\",\"h\":\"0x2\"}",
                "{\"n\":1,\"p\":\"0x1\",\"h\":\"0x2\",\"h\":\"0x3\"}"
            })
    void whatHasNoNumberHashAndParentIsNoBlock(String text) {
        assertThat(header.read(RawJson.of(text))).isNull();
    }
}
