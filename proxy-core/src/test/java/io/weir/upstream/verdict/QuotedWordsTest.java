package io.weir.upstream.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.text.JsonString;
import io.weir.upstream.verdict.Verdict.Effect;
import io.weir.upstream.verdict.Verdict.Lack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Quotes from a caller decide nothing about the node. */
class QuotedWordsTest {

    private static final int ROUNDS = 40;

    /** Refusals of geth, Alchemy, hardhat, anvil, Infura and QuickNode; the star marks the quoted text. */
    private static final List<String> TEMPLATES = List.of(
            "Unsupported method: *. See available methods at https://docs.alchemy.com/alchemy/documentation/apis",
            "Method * is not supported",
            "the method * does not exist/is not available",
            "Method not found: *",
            "Invalid params: unknown variant `*`",
            "invalid argument 0: json: cannot unmarshal \"*\" into Go value",
            "tracer * failed",
            "*",
            "The method \"*\" is unknown here");

    /** Codes under which nodes quote. Some alone show that the node failed, without words. */
    private static final int[] CODES = {-32600, -32601, -32602, -32000, -32001, -32004, -32005, -32007, -32700, 1};

    private static final List<UnaryOperator<String>> QUOTES = List.of(
            text -> text,
            text -> text.toLowerCase(Locale.ROOT),
            text -> text.toUpperCase(Locale.ROOT),
            QuotedWordsTest::escaped,
            text -> escaped(escaped(text)),
            text -> text.replace("\"", "\\\""),
            text -> text.replaceAll("\\s+", " "),
            text -> "[\"" + text + "\"]");

    private final ErrorTable table = new ErrorTable();

    private static String escaped(String text) {
        String quoted = new String(JsonString.quote(text), StandardCharsets.UTF_8);
        return quoted.substring(1, quoted.length() - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "too many requests, -32600, Unsupported method: too many requests. See available methods",
        "too many requests, -32004, Method too many requests is not supported",
        "unauthorized, -32600, Unsupported method: unauthorized. See available methods",
        "database timeout, -32000, unknown: database timeout",
        "rate limit, -32005, no such method: rate limit"
    })
    void aMethodThatSaysSomethingBadOfTheNodeIsUnknownAndNoMore(String method, int code, String message) {
        Verdict verdict = table.verdict(call(method, "[]"), new RpcError(code, message, null), 200);

        assertThat(verdict.errorClass().effect()).isEqualTo(Effect.ANSWERED);
    }

    @Test
    void noPhraseOfTheTableCountsWhereTheCallersMethodBroughtIt() {
        assertNoPhraseCounts((text, random) -> call(text, "[]"));
    }

    @Test
    void noPhraseOfTheTableCountsWhereTheCallersParametersBroughtIt() {
        assertNoPhraseCounts((text, random) -> {
            String quoted = new String(JsonString.quote(text), StandardCharsets.UTF_8);
            return call(
                    "debug_traceCall",
                    switch (random.nextInt(4)) {
                        case 0 -> "[" + quoted + "]";
                        case 1 -> "[{},\"latest\",{\"tracer\":" + quoted + "}]";
                        case 2 -> "[{" + quoted + ":1},\"latest\"]";
                        default -> "[\"0x" + "ab".repeat(200) + "\",[[" + quoted + "]]]";
                    });
        });
    }

    private interface Caller {
        RpcCall call(String text, Random random);
    }

    private void assertNoPhraseCounts(Caller caller) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (String phrase : phrases()) {
            for (int i = 0; i < ROUNDS; i++) {
                String text = padded(phrase, random);
                String template = TEMPLATES.get(random.nextInt(TEMPLATES.size()));
                String quoted = QUOTES.get(random.nextInt(QUOTES.size())).apply(text);
                int cut = random.nextInt(3) == 0 ? random.nextInt(quoted.length() + 1) : quoted.length();
                RpcError error = new RpcError(
                        CODES[random.nextInt(CODES.length)],
                        template.replace("*", quoted.substring(0, cut) + (cut < quoted.length() ? "…" : "")),
                        null);
                Verdict verdict = table.verdict(caller.call(text, random), error, 200);
                assertThat(verdict.errorClass().effect())
                        .as("seed %d: %s for %s, by the row %s", seed, error, text, verdict.row())
                        .isEqualTo(Effect.ANSWERED);
            }
        }
    }

    private static List<String> phrases() {
        List<String> phrases = new ArrayList<>();
        ErrorRows.all().forEach(row -> phrases.addAll(row.wording().phrases()));
        assertThat(phrases).hasSizeGreaterThan(150);
        return phrases;
    }

    /** Returns the phrase as a caller may write it: within other text, and in other letters. */
    private static String padded(String phrase, Random random) {
        String[] around = {
            "", "a", "eth_", " ", "\"", "\n", "\u00e9", "xxxxxxxxxxxxxxxx ", "{\"a\":\"", "\\", "rate ", "\t\t"
        };
        String before = around[random.nextInt(around.length)];
        String after = around[random.nextInt(around.length)];
        String text = switch (random.nextInt(5)) {
            case 0 -> phrase.toUpperCase(Locale.ROOT);
            case 1 -> phrase.replace('k', '\u212a').replace('s', '\u017f');
            case 2 -> phrase.replace(" ", "  ");
            case 3 -> phrase.replace(" ", "\\u0020");
            default -> phrase;
        };
        return before + text + after;
    }

    @Test
    void aNodeThatSpeaksForItselfIsHeardWhateverItQuotesBesides() {
        RpcCall call = call("debug_traceCall", "[{},\"latest\",{\"tracer\":\"callTracer\",\"timeout\":\"5s\"}]");

        assertThat(errorClass(call, -32000, "execution timeout")).isEqualTo(ErrorClass.NODE_FAULT);
        assertThat(errorClass(call, -32000, "tracer \"callTracer\": too many requests"))
                .isEqualTo(ErrorClass.RATE_LIMITED);
        assertThat(errorClass(call, -32600, "Must be authenticated!")).isEqualTo(ErrorClass.CREDENTIALS);
        assertThat(errorClass(
                        call("eth_getBlockByNumber", "[\"finalized\",false]"), -32000, "finalized block not found"))
                .isEqualTo(ErrorClass.LACKS_DATA);
        assertThat(errorClass(
                        call("eth_call", "[{\"maxPriorityFeePerGas\":\"0x1\",\"authorizationList\":[]},\"latest\"]"),
                        -32000,
                        "unauthorized"))
                .isEqualTo(ErrorClass.CREDENTIALS);
    }

    @Test
    void noWordOfTheProtocolSaysAnythingBadOfANode() {
        for (String word : CallerStrings.PROTOCOL_WORDS) {
            for (int code : CODES) {
                assertThat(errorClass(call("eth_call", "[\"" + word + "\"]"), code, "unknown field \"" + word + "\"")
                                .effect())
                        .as(word)
                        .isEqualTo(Effect.ANSWERED);
            }
        }
    }

    @Test
    void noPhraseHasARunOfHexDigitsThatCouldCountAsQuoted() {
        assertThat(phrases()).noneMatch(phrase -> phrase.matches("[0-9a-f]{4,7}|.*[0-9a-f]{8}.*"));
    }

    @Test
    void codesThatMeanARateOrCredentialsCountForUnknownMethodsToo() {
        RpcCall unknown = call("vendor_method", "[]");

        assertThat(errorClass(unknown, 429, "no")).isEqualTo(ErrorClass.RATE_LIMITED);
        assertThat(errorClass(unknown, -40100, "no")).isEqualTo(ErrorClass.CREDENTIALS);
        assertThat(errorClass(unknown, -32603, "no")).isEqualTo(ErrorClass.NODE_FAULT);
        assertThat(table.verdict(unknown, new RpcError(-32000, "no", null), 429).errorClass())
                .isEqualTo(ErrorClass.RATE_LIMITED);
    }

    @Test
    void theLimitOfASearchIsNoRateLimit() {
        RpcCall logs = call("eth_getLogs", "[{}]");

        assertThat(errorClass(logs, -32005, "limit exceeded")).isEqualTo(ErrorClass.TOO_LARGE);
        assertThat(errorClass(logs, -32005, "daily request count exceeded, request rate limited"))
                .isEqualTo(ErrorClass.RATE_LIMITED);
        assertThat(errorClass(call("eth_call", "[{}]"), -32005, "limit exceeded"))
                .isEqualTo(ErrorClass.RATE_LIMITED);
    }

    @Test
    void aNameFromTheCallerDoesNotMakeAMethodUnsupported() {
        RpcCall call = call("debug_traceCall", "[{},\"latest\",{\"tracer\":\"debug_traceCall method not found\"}]");
        RpcError error = new RpcError(-32000, "tracer debug_traceCall method not found", null);

        assertThat(table.verdict(call, error, 200).errorClass()).isNotEqualTo(ErrorClass.UNSUPPORTED);
        RpcError own = new RpcError(-32000, "Method debug_traceCall is not supported", null);
        assertThat(table.verdict(call("debug_traceCall", "[{}]"), own, 200).lack())
                .isEqualTo(Lack.METHOD);
        RpcError ofTracer = new RpcError(-32000, "not supported: tracer x", null);
        assertThat(table.verdict(call("debug_traceCall", "[{}]"), ofTracer, 200).lack())
                .isEqualTo(Lack.NOTHING);
    }

    private ErrorClass errorClass(RpcCall call, int code, String message) {
        return table.verdict(call, new RpcError(code, message, null), 200).errorClass();
    }

    private static RpcCall call(String method, String params) {
        return new RpcCall(RawJson.of("1"), method, RawJson.of(params));
    }
}
