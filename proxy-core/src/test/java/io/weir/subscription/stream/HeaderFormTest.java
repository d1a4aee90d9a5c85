package io.weir.subscription.stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.BlockForm;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderFormTest {

    private final HeaderForm header =
            HeaderForm.of(new BlockForm.Members("n", "h", "p", "t"), List.of("h", "n", "root", "gas"));

    @Test
    void aHeaderHasItsMembersInTheirOrderAndHashesCompareWithoutLeadingZeros() {
        StreamBlock block = requireNonNull(
                header.read(
                        RawJson.of(
                                "{\"t\":1,\"txs\":[1,{\"h\":2}],\"root\":{\"a\":[1]},\"n\":12,\"p\":\"0x00B\",\"h\":\"0x0C\",\"gas\":null}")));
        assertThat(block.header()).hasToString("{\"h\":\"0x0C\",\"n\":12,\"root\":{\"a\":[1]}}");
        assertThat(block.link()).isEqualTo(new BlockLink(12, "0xc", "0xb"));
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
                "{\"n\":1,\"p\":\"1\",\"h\":\"0x2\"}"
            })
    void whatHasNoNumberHashAndParentIsNoBlock(String text) {
        assertThat(header.read(RawJson.of(text))).isNull();
    }
}
