package io.weir.upstream.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.upstream.verdict.Verdict.Then;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table row by row, with the wordings of nodes and vendors that could not be run. */
class ErrorTableTest {

    private record Example(String row, ErrorClass errorClass, String method, int status, RpcError error) {

        static Example of(String line) {
            String[] cells =
                    Arrays.stream(line.split("\\|", 6)).map(String::strip).toArray(String[]::new);
            String[] where = cells[2].split(" ");
            String[] message = cells[5].split(" \\|\\| ", 2);
            return new Example(
                    cells[0],
                    ErrorClass.valueOf(cells[1].toUpperCase(Locale.ROOT)),
                    where[0],
                    Integer.parseInt(cells[3]),
                    new RpcError(
                            Integer.parseInt(cells[4]),
                            message[0],
                            message.length == 1 ? null : RawJson.of(message[1])));
        }

        @Override
        public String toString() {
            return row + ": " + method + " " + status + " " + error.code() + " " + error.message();
        }
    }

    static List<Example> examples() {
        return lines().map(Example::of).toList();
    }

    private static Stream<String> lines() {
        try (var in = Objects.requireNonNull(ErrorTableTest.class.getResourceAsStream("wordings.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anErrorIsDecidedByTheRowThatIsNamedForIt(Example example) {
        Verdict verdict = CallErrors.verdict(example.method(), example.error(), example.status());

        assertThat(verdict.row()).isEqualTo(example.row());
        assertThat(verdict.errorClass()).isEqualTo(example.errorClass());
    }

    @Test
    void everyRowHasAnExampleAndANameOfItsOwn() {
        Set<String> covered = new HashSet<>();
        examples().forEach(example -> covered.add(example.row()));

        assertThat(covered)
                .containsExactlyInAnyOrderElementsOf(
                        ErrorRows.all().stream().map(ErrorRows.ErrorRow::name).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "-32601, the method reverted does not exist/is not available, UNSUPPORTED",
        "-32602, invalid argument 0: \"too many requests\", CLIENT_MISTAKE",
        "-32602, invalid argument 0: \"database timeout\", CLIENT_MISTAKE",
        "-32602, invalid value \"execution reverted\", CLIENT_MISTAKE",
        "-32700, cannot read \"rate limit\", CLIENT_MISTAKE"
    })
    void wordsThatANodeQuotesFromTheCallMakeNoFaultOfTheNode(int code, String message, ErrorClass expected) {
        assertThat(verdict("eth_call", code, message).errorClass()).isEqualTo(expected);
    }

    @Test
    void theReasonOfARevertMakesNothingElseOfIt() {
        for (String reason : List.of("rate limit exceeded", "header not found", "timeout", "invalid api key")) {
            assertThat(verdict("eth_call", 3, "execution reverted: " + reason).errorClass())
                    .isEqualTo(ErrorClass.EXECUTION_VERDICT);
            assertThat(verdict("eth_call", -32000, "VM Exception while processing transaction: revert " + reason)
                            .errorClass())
                    .isEqualTo(ErrorClass.EXECUTION_VERDICT);
        }
    }

    @Test
    void aTransactionThatANodeDoesNotTakeMayBeTakenByAnother() {
        assertThat(verdict("eth_sendRawTransaction", -32000, "nonce too low").then())
                .isEqualTo(Then.ELSEWHERE_UNDONE);
        assertThat(verdict("eth_sendRawTransaction", -32000, "txpool is full").then())
                .isEqualTo(Then.ELSEWHERE_UNDONE);
        assertThat(verdict("eth_sendTransaction", -32000, "nonce too low").then())
                .isEqualTo(Then.FINAL);
        assertThat(verdict("eth_call", 3, "execution reverted").then()).isEqualTo(Then.FINAL);
    }

    @Test
    void aTransactionThatIsKnownIsNotSpreadFurther() {
        assertThat(verdict("eth_sendRawTransaction", -32000, "already known").then())
                .isEqualTo(Then.FINAL);
    }

    @Test
    void onlyWhatIsSaidNotToExistIsNothing() {
        assertThat(verdict("eth_getBlockByHash", -32001, "Resource not found").isNothingFound())
                .isTrue();
        assertThat(verdict("eth_getTransactionReceipt", -32000, "transaction indexing is in progress")
                        .isNothingFound())
                .isFalse();
        assertThat(verdict("eth_getBlockByHash", 4444, "pruned history unavailable")
                        .isNothingFound())
                .isFalse();
    }

    /** viem and alloy repeat a call at these codes, whatever the message says. */
    @ParameterizedTest
    @ValueSource(ints = {-1, -32603, -32005, -32007})
    void tooLargeNeverUsesACodeThatClientsRepeat(int code) {
        RawJson data = RawJson.of("{\"from\":\"0x1\",\"to\":\"0x9\"}");
        RpcError error = new RpcError(code, "query returned more than 10000 results", data);
        Verdict verdict = CallErrors.verdict("eth_getLogs", error, 200);
        assertThat(verdict.errorClass()).isEqualTo(ErrorClass.TOO_LARGE);
        assertThat(CallErrors.clean("eth_getLogs", error, verdict))
                .isEqualTo(new RpcError(-32000, error.message(), data));
    }

    @ParameterizedTest
    @ValueSource(ints = {-32000, -32602, -32614, -32001, -32003})
    void tooLargeKeepsACodeThatClientsDoNotRepeat(int code) {
        RpcError error = new RpcError(code, "exceed maximum block range: 5000", null);
        assertThat(CallErrors.clean("eth_getLogs", error, CallErrors.verdict("eth_getLogs", error, 200)))
                .isEqualTo(error);
    }

    @Test
    void otherErrorsKeepTheCodeOfALimit() {
        RpcError error = new RpcError(-32005, "Transaction gas limit exceeds block gas limit", null);
        String method = "eth_sendRawTransaction";
        assertThat(CallErrors.clean(method, error, CallErrors.verdict(method, error, 200)))
                .isEqualTo(error);
    }

    @Test
    void onlyTheFrontOfAMessageOfMegabytesCounts() {
        String filler = "x ".repeat(4 << 20);

        assertThat(verdict("eth_call", -32000, "rate limit " + filler).errorClass())
                .isEqualTo(ErrorClass.RATE_LIMITED);
        assertThat(verdict("eth_call", -32000, filler + "rate limit").errorClass())
                .isEqualTo(ErrorClass.UNKNOWN);
    }

    private Verdict verdict(String method, int code, String message) {
        return CallErrors.verdict(method, new RpcError(code, message, null), 200);
    }
}
