package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.testing.NetworkSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    private final AnswerJudge.Redaction redaction =
            new AnswerJudge.Redaction(NetworkSettings.of("net", """
            upstreams.a {
              url = "https://user:hunter22@node.internal:8545/v2/ethereum-mainnet/0123456789abcdef"
              ws-url = "wss://sockets.example/feed?token=9f8e7d6c5b4a3210"
              headers { X-Token = topsecret, X-Weight = "10", Authorization = "Bearer A1b2C3d4E5f6G7h8" }
            }""").upstreams().get("a"));

    /** Short keys, keys without digits, escaped characters, and words that errors use. */
    private final AnswerJudge.Redaction hard =
            new AnswerJudge.Redaction(NetworkSettings.of("net", """
            upstreams.a {
              url = "http://operator:two%2Fparts@erigon:8545/v3/mainnet-archive/k3ys0fus/abcdefghijklmnopqrst?apikey=wordonly&sig=ab%2Bcd/ef"
              ws-url = "wss://t0ken123.nodes.example/"
              headers { Authorization = "Bearer shortone", X-Login = "Basic YWRtaW46cGFzcy93b3Jk", Cookie = "a=1; session=tastything" }
            }""").upstreams().get("a"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cannot reach NODE.internal",
                "boom http://user:hunter22@x",
                "no route for /v2/ethereum-mainnet/0123456789abcdef",
                "bad token topsecret",
                "cannot reach sockets.example",
                "no route for /feed?token=9f8e7d6c5b4a3210",
                "wrong password: hunter22",
                "unknown project 0123456789abcdef",
                "the token 9f8e7d6c5b4a3210 has expired",
                "A1b2C3d4E5f6G7h8 is no token"
            })
    void anErrorThatNamesTheNodePassesWithItsCodeOnly(String message) {
        assertHidden(redaction, new RpcError(-32050, message, RawJson.of("1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown project k3ys0fus",
                "unknown project K3YS0FUS",
                "unknown project abcdefghijklmnopqrst",
                "apikey wordonly: over its quota",
                "signature ab+cd/ef does not match",
                "signature ab%2bcd%2Fef does not match",
                "signature ab%252Bcd%252Fef does not match",
                "login of operator failed",
                "wrong password two/parts",
                "wrong password two%2fparts",
                "wrong password two\\/parts",
                "wrong password two\\u002fparts",
                "Authorization: Basic b3BlcmF0b3I6dHdvL3BhcnRz",
                "invalid token 'shortone'",
                "user admin:pass/word",
                "wrong password pass/word",
                "no session tastything",
                "connect ECONNREFUSED erigon:8545",
                "no project t0ken123"
            })
    void anErrorThatNamesOnlyTheSecretIsHiddenInEveryForm(String words) {
        assertHidden(hard, new RpcError(-32000, words, null));
        assertHidden(
                hard, new RpcError(3, "reverted", RawJson.of("{\"cause\":[\"" + words.replace('\'', ' ') + "\"]}")));
        assertHidden(hard, new RpcError(-32000, "x".repeat(9000) + words, null));
    }

    private static void assertHidden(AnswerJudge.Redaction redaction, RpcError error) {
        RpcError shown = new RpcError(error.code(), "the beginning of the words", null);

        assertThat(redaction.clean(error, shown))
                .as(error.toString())
                .isEqualTo(new RpcError(error.code(), "internal error", null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ethereum-mainnet is syncing",
                "no such method in v2",
                "at most 10 blocks",
                "mainnet-archive is syncing",
                "erigon: block not found",
                "100% of the gas was used, \\ufffd"
            })
    void anErrorThatNamesAnOrdinaryWordOfTheAddressPassesAsItIs(String message) {
        RpcError error = new RpcError(-32000, message, null);

        assertThat(redaction.clean(error, error)).isSameAs(error);
        assertThat(hard.clean(error, error)).isSameAs(error);
    }

    @Test
    void theDataOfARevertPassesAsItIs() {
        RpcError error = new RpcError(3, "execution reverted", RawJson.of("\"0x08c379a0\""));

        assertThat(redaction.clean(error, error)).isSameAs(error);
    }
}
