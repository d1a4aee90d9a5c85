package io.weir.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class EthereumKindTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "false | false",
                "true | true",
                "{} | true",
                "{\"currentBlock\":\"0x10\",\"highestBlock\":\"0x11\"} | true",
                "{\"currentBlock\":\"0x0\",\"highestBlock\":\"0x0\"} | true",
                "{\"currentBlock\":\"0x11\",\"highestBlock\":\"0x11\",\"txIndexRemainingBlocks\":\"0x5\"} | false",
            })
    void aNodeThatHasAllBlocksAndBuildsAnIndexIsNotSyncing(String answer, boolean syncing) {
        assertThat(new EthereumKind().readSyncing(JsonMapper.shared().readTree(answer)))
                .isEqualTo(syncing);
    }
}
