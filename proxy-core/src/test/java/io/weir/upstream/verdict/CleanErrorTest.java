package io.weir.upstream.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CleanErrorTest {

    private final CleanError cleanError = new CleanError();

    private String message(String message) {
        return cleanError.of(new RpcError(-32000, message, null)).message();
    }

    private String data(String data) {
        RawJson clean =
                cleanError.of(new RpcError(-32000, "", RawJson.of(data))).data();
        return clean == null ? null : clean.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "header not found",
                "the method eth_x does not exist/is not available",
                "err: insufficient funds for gas * price + value: address 0x11 have 0 want 1 (supplied gas 5)",
                "Invalid input: `max_priority_fee_per_gas` greater than `max_fee_per_gas`",
                "derivation path m/44'/60'/0'/0",
                "see https://docs.example.com/errors/limits for more",
                "BlockOutOfRangeError: block height is 4 but requested was 16777215",
                "missing trie node 8a54 (path 0a/0b) state 0x11 is not available, not found",
                "1/2 of 50/second, ошибка ✓ 🚀"
            })
    void wordsThatTellNothingOfTheNodesMachinePassAsTheyAre(String message) {
        assertThat(message(message)).isEqualTo(message);
    }

    @Test
    void pathsOfFilesAreTakenOut() {
        assertThat(message("open /var/lib/geth/chaindata/001.ldb: no such file"))
                .isEqualTo("open [file] no such file");
        assertThat(message("cannot read \"/home/node/key.json\"")).isEqualTo("cannot read \"[file]\"");
        assertThat(message("at C:\\Users\\node\\besu.jar")).isEqualTo("at [file]");
        assertThat(message("from file:///opt/node/index.js")).isEqualTo("from [file]");
        assertThat(message("panicked at src/main.rs:12:5")).isEqualTo("panicked at [file]");
        assertThat(message("open ./chaindata")).isEqualTo("open [file]");
        assertThat(message("open ../chaindata")).isEqualTo("open [file]");
        assertThat(message("in (node_modules/hardhat/src/node.ts)")).isEqualTo("in ([file])");
    }

    @Test
    void stackTracesAreTakenOut() {
        assertThat(message("Error: no\n    at Node.call (/srv/n.js:1:2)\n    at next"))
                .isEqualTo("Error: no");
        assertThat(message("Internal error\n\tat org.example.Besu.run(Besu.java:5)"))
                .isEqualTo("Internal error");
        assertThat(message("crashed\ngoroutine 1 [running]:\nmain.main()")).isEqualTo("crashed");
        assertThat(message("no\nstack backtrace:\n 0: std")).isEqualTo("no ");
        assertThat(message("no Traceback (most recent call last): x")).isEqualTo("no ");
    }

    @Test
    void controlCharactersAreTakenOut() {
        assertThat(message("a\0b\nc\rd\u007fe\u009bf\ud800g")).isEqualTo("a\ufffdb c d\ufffde\ufffdf\ufffdg");
    }

    @Test
    void aMessageOfMegabytesIsTruncated() {
        assertThat(message("🚀".repeat(1 << 20)))
                .hasSize(CleanError.MAX_CHARS + 1)
                .endsWith("🚀…");
        assertThat(message("a" + "🚀".repeat(1 << 20)))
                .hasSize(CleanError.MAX_CHARS)
                .endsWith("🚀…");
        assertThat(message("/".repeat(4 << 20))).isEqualTo("[file]");
        assertThat(message("\n at".repeat(1 << 20))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"0x08c379a0\"",
                "null",
                "1.50",
                "\"transaction indexing is in progress\"",
                "{ \"message\" : \"no\",\"data\":{\"method\":\"eth_x\",\"params\":[1e2,\"0x\"]}}"
            })
    void harmlessDataPassesByteForByte(String data) {
        assertThat(data(data)).isEqualTo(data);
    }

    @Test
    void dataIsCleanedOfStacksPathsAndControlCharacters() {
        assertThat(data("{\"stack\":\"Error: x\\n at y\",\"hash\":\"0x1\",\"in\":[{\"stack\":1,\"n\":1.5}]}"))
                .isEqualTo("{\"hash\":\"0x1\",\"in\":[{\"n\":1.5}]}");
        assertThat(data("\"open /var/lib/geth/LOCK\\u0000\"")).isEqualTo("\"open [file]\"");
        assertThat(data("[\"a\\u001bb\"]")).isEqualTo("[\"a\ufffdb\"]");
    }

    @Test
    void dataThatCannotBeLookedIntoIsLeftOut() {
        assertThat(data('"' + "x".repeat(CleanError.MAX_DATA_BYTES) + '"')).isNull();
        assertThat(data("[".repeat(200) + "]".repeat(200))).isNull();
        assertThat(data("{\"a\" \"b\"}")).isNull();
        assertThat(data("{\"a\":\"/var/lib/geth\",\"a\":1}"))
                .as("twice the same name")
                .isNull();
    }

    @Test
    void hexPassesWhateverItsLength() {
        String hex = "\"0x" + "ab".repeat(CleanError.MAX_DATA_BYTES) + '"';

        assertThat(data(hex)).isEqualTo(hex);
    }
}
