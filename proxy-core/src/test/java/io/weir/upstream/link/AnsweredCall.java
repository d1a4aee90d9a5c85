package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.ReplyText;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import io.weir.upstream.NodeOutcome;
import java.io.ByteArrayOutputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Call with the id 1, and the conditions on any outcome of it. */
public final class AnsweredCall {

    /** The request. */
    public static final RpcCall CALL = new RpcCall(RawJson.of("1"), "eth_test", null);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private AnsweredCall() {}

    /** Checks that a node's answer stays within its part of the envelope for a client. */
    public static void assertStandsInAnEnvelope(NodeOutcome outcome) {
        if (!(outcome instanceof NodeOutcome.Answered answered)) {
            NodeOutcome.Failed failed = (NodeOutcome.Failed) outcome;
            assertThat(failed.flaw() == null || failed.flaw().fault() == failed.fault())
                    .as(failed.toString())
                    .isTrue();
            return;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ReplyText.one(RawJson.of("\"theirs\""), answered.reply()).writeTo(out::write);
        try {
            NodeReply again = ReplyReader.read(out.toByteArray(), 0, out.size());
            assertThat(again.id()).isEqualTo(RawJson.of("\"theirs\""));
            assertThat(again.reply()).isEqualTo(answered.reply());
        } catch (MalformedReplyException e) {
            fail("not whole in its envelope: " + out, e);
        }
        if (answered.reply() instanceof RpcReply.Result result && isJson(result.value())) {
            JsonNode envelope = JSON.readTree(out.toByteArray());
            assertThat(envelope.propertyNames()).containsExactly("jsonrpc", "id", "result");
        }
    }

    /** Accepts any scalars within a result, because the proxy passes them unchanged. */
    private static boolean isJson(RawJson value) {
        try {
            JSON.readTree(value.toBytes());
            return true;
        } catch (JacksonException e) {
            return false;
        }
    }
}
