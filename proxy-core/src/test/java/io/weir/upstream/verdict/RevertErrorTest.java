package io.weir.upstream.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RevertErrorTest {

    private static final String NOT_ENOUGH = error("not enough");

    private static String error(String reason) {
        return error(reason.getBytes(StandardCharsets.UTF_8));
    }

    private static String error(byte[] reason) {
        String hex = HexFormat.of().formatHex(reason);
        String padding = "0".repeat((64 - hex.length() % 64) % 64);
        return "0x08c379a0" + word(32) + word(reason.length) + hex + padding;
    }

    private static String panic(int code) {
        return "0x4e487b71" + word(code);
    }

    private static String word(int number) {
        return String.format("%064x", number);
    }

    private RpcError clean(String method, int code, String message, String data) {
        RpcError error = new RpcError(code, message, data == null ? null : RawJson.of(data));
        return CallErrors.clean(method, error, CallErrors.verdict(method, error, 200));
    }

    private RpcError ofPayload(String payload) {
        return clean("eth_call", 3, "execution reverted: something else", '"' + payload + '"');
    }

    private record Form(String node, int code, String message, String data) {}

    private static List<Form> forms(String payload) {
        String quoted = '"' + payload + '"';
        String vm = "VM Exception while processing transaction: revert not enough";
        return List.of(
                new Form("geth, erigon", 3, "execution reverted: not enough", quoted),
                new Form("reth, anvil", 3, "execution reverted: custom error 0x08c379a0: \u0000\u0001", quoted),
                new Form("geth of old", -32000, "execution reverted: not enough", quoted),
                new Form("nethermind", -32015, "VM execution error.", "\"Reverted " + payload + "\""),
                new Form("nethermind of 2025", -32000, "execution reverted: not enough", quoted),
                new Form(
                        "parity",
                        -32015,
                        "VM execution error.",
                        "\"Reverted "
                                + payload.toUpperCase(java.util.Locale.ROOT).replace("0X", "0x") + "\""),
                new Form("besu", -32000, "Execution reverted (not enough)", quoted),
                new Form(
                        "hardhat",
                        -32603,
                        "Error: VM Exception while processing transaction: reverted with reason string 'not enough'",
                        "{\"message\":\"Error: reverted\",\"data\":" + quoted + "}"),
                new Form("ganache, call", -32000, vm, quoted),
                new Form(
                        "ganache, estimate",
                        -32000,
                        vm,
                        "{\"hash\":null,\"programCounter\":9,\"result\":" + quoted
                                + ",\"reason\":\"not enough\",\"message\":\"revert\"}"),
                new Form(
                        "ganache of old",
                        -32000,
                        vm,
                        "{\"0x11\":{\"error\":\"revert\",\"program_counter\":9,\"return\":" + quoted
                                + "},\"stack\":\"at /home/node/ganache.js:1:2\",\"name\":\"c\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_call", "eth_estimateGas", "eth_createAccessList", "debug_traceCall"})
    void aRevertLooksTheSameFromEveryNode(String method) {
        for (Form form : forms(NOT_ENOUGH)) {
            assertThat(clean(method, form.code(), form.message(), form.data()))
                    .as(form.node())
                    .isEqualTo(new RpcError(3, "execution reverted: not enough", RawJson.of('"' + NOT_ENOUGH + '"')));
        }
    }

    @Test
    void aCustomErrorHasNoReasonFromAnyNode() {
        for (Form form : forms("0x82b42900")) {
            if (form.node().startsWith("geth") || form.node().startsWith("nethermind of")) {
                continue;
            }
            assertThat(clean("eth_call", form.code(), form.message(), form.data()))
                    .as(form.node())
                    .isEqualTo(new RpcError(3, "execution reverted", RawJson.of("\"0x82b42900\"")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, generic panic",
        "0x01, assert(false)",
        "0x11, arithmetic underflow or overflow",
        "0x12, division or modulo by zero",
        "0x21, enum overflow",
        "0x22, invalid encoded storage byte array accessed",
        "0x31, out-of-bounds array access; popping on an empty array",
        "0x32, out-of-bounds access of an array or bytesN",
        "0x41, out of memory",
        "0x51, uninitialized function",
        "0xff, unknown panic code: 0xff"
    })
    void aPanicIsWordedAsGethWordsIt(String code, String reason) {
        assertThat(ofPayload(panic(Integer.decode(code))).message()).isEqualTo("execution reverted: " + reason);
    }

    @Test
    void aPanicWithAnUnknownCodeIsShownInHex() {
        assertThat(ofPayload("0x4e487b71" + "f".repeat(64)).message())
                .isEqualTo("execution reverted: unknown panic code: 0x" + "f".repeat(64));
        assertThat(ofPayload("0x4e487b71" + "00".repeat(23) + "01" + "00".repeat(8))
                        .message())
                .as("2 to the power of 64 is not 0")
                .isEqualTo("execution reverted: unknown panic code: 0x10000000000000000");
    }

    @Test
    void anEmptyReasonIsOneAsGethHasIt() {
        assertThat(ofPayload(error("")).message()).isEqualTo("execution reverted: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x",
                "0x08",
                "0x82b42900",
                "0x77726f6e672d63616c6c6461746173697a65",
                "0x08c379a0",
                "0x08c379a0ffff",
                "0x4e487b71",
                "0x4e487b7100"
            })
    void theNodesWordsReplaceAReasonThatThePayloadDoesNotHave(String payload) {
        RawJson data = RawJson.of('"' + payload + '"');
        assertThat(ofPayload(payload)).isEqualTo(new RpcError(3, "execution reverted: something else", data));
        assertThat(clean("eth_call", 3, "execution reverted", data.toString()))
                .isEqualTo(new RpcError(3, "execution reverted", data));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 | execution reverted: InsufficientBalance(1,2) | execution reverted: InsufficientBalance(1,2)",
                "-32603 | Error: VM Exception while processing transaction: reverted with custom error 'Unauthorized()'"
                        + " | execution reverted: 'Unauthorized()'",
                "3 | execution reverted: custom error 0xcf479181: 1 | execution reverted",
                "3 | execution reverted: no | execution reverted: no"
            })
    void theNameOfACustomErrorIsKeptIfTheNodeKnowsIt(int code, String message, String seen) {
        assertThat(clean("eth_call", code, message, "\"0xcf479181\""))
                .isEqualTo(new RpcError(3, seen, RawJson.of("\"0xcf479181\"")));
    }

    @Test
    void aReasonThatPointsOutOfItsPayloadIsNone() {
        String far = "f".repeat(64);
        for (String payload : List.of(
                "0x08c379a0" + far + word(1) + word(0),
                "0x08c379a0" + word(32) + far + word(0),
                "0x08c379a0" + word(32) + word(33) + word(0),
                "0x08c379a0" + word(64) + word(0),
                "0x08c379a0" + "0".repeat(48) + "7fffffffffffffff" + word(1))) {
            assertThat(ofPayload(payload).message()).as(payload).isEqualTo("execution reverted: something else");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1x", "00", "Reverted 1x"})
    void dataThatDoesNotBeginAsHexIsNoPayload(String begin) {
        String data = '"' + NOT_ENOUGH.replace("0x", begin) + '"';
        assertThat(clean("eth_call", -32000, "something else", data).message()).isEqualTo("something else");
    }

    @Test
    void aReasonMayStandAnywhereInItsPayload() {
        assertThat(ofPayload("0x08c379a0" + word(64) + word(7) + word(2) + "6f6b" + "0".repeat(60))
                        .message())
                .isEqualTo("execution reverted: ok");
    }

    @Test
    void noControlByteOfAReasonReachesAClient() {
        assertThat(ofPayload(error("line\n\ttab\0nul\u001b[31m\u0085")).message())
                .isEqualTo("execution reverted: line  tab\ufffdnul\ufffd[31m\ufffd");
        assertThat(ofPayload(error("\u202egnp.exe")).message()).isEqualTo("execution reverted: \ufffdgnp.exe");
        assertThat(ofPayload(error(new byte[] {'a', (byte) 0xff, 'b'})).message())
                .isEqualTo("execution reverted: a\ufffdb");
    }

    @Test
    void aLongReasonIsTruncatedAtACharacterAndItsPayloadIsNot() {
        String payload = error("é".repeat(100_000));

        RpcError error = ofPayload(payload);

        assertThat(error.message())
                .isEqualTo("execution reverted: " + "é".repeat(RevertError.RevertReason.MAX_BYTES / 2) + "…");
        assertThat(ofPayload(error("a" + "é".repeat(100_000))).message())
                .isEqualTo("execution reverted: a" + "é".repeat(RevertError.RevertReason.MAX_BYTES / 2 - 1) + "…");
        assertThat(error.data()).hasToString('"' + payload + '"');
    }

    @Test
    void aPayloadThatTheNodeDoesNotGiveIsNotMadeUp() {
        String message =
                "Error: VM Exception while processing transaction: Expected return data to contain a valid string";

        assertThat(clean("eth_call", -32603, message, "{\"message\":\"x\"}"))
                .isEqualTo(new RpcError(3, "execution reverted", null));
    }

    @Test
    void withoutDataTheReasonInWordsIsKept() {
        assertThat(clean("eth_call", -32000, "execution reverted: paused", null))
                .isEqualTo(new RpcError(3, "execution reverted: paused", RawJson.of("\"0x\"")));
        assertThat(clean("eth_call", 3, "execution reverted", null))
                .isEqualTo(new RpcError(3, "execution reverted", RawJson.of("\"0x\"")));
    }

    @Test
    void otherErrorsKeepTheNodesOwnCode() {
        assertThat(clean("eth_call", -32015, "VM execution error.", "\"Bad instruction fe\"")
                        .code())
                .isEqualTo(-32015);
        assertThat(clean("eth_call", -32000, "Transaction ran out of gas", "{\"data\":\"0x\"}")
                        .code())
                .isEqualTo(-32000);
    }

    @Test
    void aPermanentErrorIsNoInternalError() {
        String halt = "Error: VM Exception while processing transaction: invalid opcode";
        assertThat(clean("eth_call", -32603, halt, "{\"data\":\"0x\"}"))
                .isEqualTo(new RpcError(-32000, halt, RawJson.of("{\"data\":\"0x\"}")));
        assertThat(clean("eth_call", -32603, "EVM error OutOfGas", null).code()).isEqualTo(-32000);
        assertThat(clean("eth_getBalance", -32603, "missing trie node 12", null).code())
                .isEqualTo(-32000);
        assertThat(clean("eth_sendTransaction", -32603, "Error: Transaction reverted", "{\"txHash\":\"0x1\"}"))
                .as("the transaction is mined: its hash must not be lost")
                .isEqualTo(new RpcError(-32000, "Error: Transaction reverted", RawJson.of("{\"txHash\":\"0x1\"}")));
    }

    @Test
    void noPayloadBreaksTheReading() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(140)];
            random.nextBytes(noise);
            for (int at = 0; at < noise.length; at++) {
                noise[at] = at % 32 < 31 && random.nextInt(8) > 0 ? 0 : noise[at];
            }
            String payload = (random.nextBoolean() ? "0x08c379a0" : "0x4e487b71")
                    + HexFormat.of().formatHex(noise);
            RpcError error = ofPayload(payload);
            assertThat(error.message()).as("seed %d: %s", seed, payload).startsWith("execution reverted");
            assertThat(error.data()).as("seed %d", seed).hasToString('"' + payload + '"');
        }
    }
}
