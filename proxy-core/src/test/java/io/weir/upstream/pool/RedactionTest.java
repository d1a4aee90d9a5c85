package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NetworkSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    private final Redaction redaction =
            new Redaction(NetworkSettings.of("net", """
            upstreams.a {
              url = "https://user:hunter22@node.internal:8545/v2/ethereum-mainnet/0123456789abcdef"
              ws-url = "wss://sockets.example/feed?token=9f8e7d6c5b4a3210"
              headers { X-Token = topsecret, X-Weight = "10", Authorization = "Bearer A1b2C3d4E5f6G7h8" }
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
        RpcReply clean = redaction.clean(RpcReply.failure(new RpcError(-32050, message, RawJson.of("1"))));

        assertThat(clean).isEqualTo(RpcReply.failure(new RpcError(-32050, "internal error", null)));
    }

    @Test
    void theDataOfAnErrorIsLookedAtToo() {
        RpcReply clean =
                redaction.clean(RpcReply.failure(new RpcError(3, "reverted", RawJson.of("\"node.internal:8545\""))));

        assertThat(((RpcReply.Failure) clean).error().data()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ethereum-mainnet is syncing", "no such method in v2", "at most 10 blocks"})
    void anErrorThatNamesAnOrdinaryWordOfTheAddressPassesAsItIs(String message) {
        RpcReply error = RpcReply.failure(new RpcError(-32000, message, null));

        assertThat(redaction.clean(error)).isSameAs(error);
    }

    @Test
    void everyOtherReplyPassesAsItIs() {
        RpcReply error = RpcReply.failure(new RpcError(3, "execution reverted", RawJson.of("\"0x08c379a0\"")));
        RpcReply result = new RpcReply.Result(RawJson.of("\"node.internal\""));

        assertThat(redaction.clean(error)).isSameAs(error);
        assertThat(redaction.clean(result)).isSameAs(result);
    }
}
