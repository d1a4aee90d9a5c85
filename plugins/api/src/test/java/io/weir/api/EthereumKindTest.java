package io.weir.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

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

    @ParameterizedTest
    @CsvSource({"0x1f, 31", "0X1F, 31", "0x000000000000000000000000000000000000001f, 31", "31, 31", "0x0, 0"})
    void aHeadIsANumberInHexOrDecimal(String answer, long head) {
        assertThat(new EthereumKind().readHead(StringNode.valueOf(answer))).isEqualTo(head);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0x",
                "0x-1",
                "-1",
                "+1",
                "0x+1",
                "0x8000000000000000",
                "0x10000000000000000",
                "1e3",
                "\u0661"
            })
    void anotherTextIsNoHead(String answer) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EthereumKind().readHead(StringNode.valueOf(answer)))
                .withMessageStartingWith("eth_blockNumber: \"" + answer + "\"");
    }

    /** The time to read a number grows with the square of its length, and probes are read on an event loop. */
    @ParameterizedTest
    @ValueSource(strings = {"0x", "1"})
    void aNumberOfAMillionDigitsIsRefusedAtOnce(String begin) {
        String answer = begin + "7".repeat(1_000_000);
        assertTimeout(
                Duration.ofSeconds(2),
                () -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> new EthereumKind().readHead(StringNode.valueOf(answer))));
    }
}
