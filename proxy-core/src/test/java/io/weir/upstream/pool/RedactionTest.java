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
              url = "https://user:hunter22@node.internal:8545/v2/0123456789abcdef"
              headers { X-Token = topsecret }
            }""").upstreams().get("a"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cannot reach NODE.internal",
                "boom http://user:hunter22@x",
                "no route for /v2/0123456789abcdef",
                "bad token topsecret"
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

    @Test
    void everyOtherReplyPassesAsItIs() {
        RpcReply error = RpcReply.failure(new RpcError(3, "execution reverted", RawJson.of("\"0x08c379a0\"")));
        RpcReply result = new RpcReply.Result(RawJson.of("\"node.internal\""));

        assertThat(redaction.clean(error)).isSameAs(error);
        assertThat(redaction.clean(result)).isSameAs(result);
    }
}
