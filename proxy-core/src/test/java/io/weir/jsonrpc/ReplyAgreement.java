package io.weir.jsonrpc;

import static io.weir.jsonrpc.JacksonOracle.maskedString;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.JacksonOracle.Member;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Holds the reader of replies against Jackson. It may take what Jackson does not, since it does not look at scalars within a
 * result; even then a result must not reach beyond its brackets and strings once it stands in a batch. Thread-safe.
 */
final class ReplyAgreement {

    private static final List<String> ENVELOPE = List.of("id", "result", "error");
    private static final List<String> ERROR = List.of("code", "message", "data");

    private final JacksonOracle oracle = new JacksonOracle(1024);

    /** Fails where the two do not agree; returns whether the text is a reply to both. */
    boolean check(byte[] text, String context) {
        Optional<NodeReply> reply = read(text);
        if (!oracle.accepts(text)) {
            reply.ifPresent(lenient -> assertContained(lenient, context));
            return false;
        }
        if (!oracle.tree(text).isObject()) {
            assertThat(reply).as(context).isEmpty();
            return false;
        }
        assertSameReading(reply, oracle.members(text), context);
        return reply.isPresent();
    }

    private Optional<NodeReply> read(byte[] text) {
        try {
            return Optional.of(ReplyReader.read(text, 0, text.length));
        } catch (MalformedReplyException e) {
            return Optional.empty();
        }
    }

    private void assertSameReading(Optional<NodeReply> reply, List<Member> members, String context) {
        Map<String, RawJson> byName = new HashMap<>();
        members.forEach(member -> byName.put(member.name(), member.value()));
        boolean distinct = isDistinct(members, ENVELOPE)
                && (!byName.containsKey("error")
                        || isDistinct(oracle.members(byName.get("error").toBytes()), ERROR));
        assertThat(reply.isPresent()).as(context).isEqualTo(distinct && isValid(byName));
        if (reply.isPresent()) {
            NodeReply sure = reply.get();
            assertThat(sure.id()).as(context).isEqualTo(byName.getOrDefault("id", RawJson.NULL));
            if (sure.reply() instanceof RpcReply.Result result) {
                assertThat(result.value()).as(context).isEqualTo(byName.get("result"));
            } else if (sure.reply() instanceof RpcReply.Failure failure) {
                assertSameError(failure.error(), byName.get("error"), context);
            }
            assertStandsInABatch(sure, context);
        }
    }

    private static boolean isDistinct(List<Member> members, List<String> names) {
        List<String> read =
                members.stream().map(Member::name).filter(names::contains).toList();
        return read.size() == Set.copyOf(read).size();
    }

    private static int code(JsonNode number) {
        double value = number.doubleValue();
        return value == Math.rint(value) && Math.abs(value) < 1L << 31 ? (int) value : -32000;
    }

    private void assertSameError(RpcError error, RawJson written, String context) {
        JsonNode tree = oracle.tree(written);
        assertThat(error.code()).as(context).isEqualTo(code(tree.get("code")));
        assertThat(maskedString(error.message()))
                .as(context)
                .isEqualTo(maskedString(tree.path("message").stringValue("")));
        assertThat(error.data() == null ? null : oracle.tree(error.data()))
                .as(context)
                .isEqualTo(tree.get("data"));
    }

    private void assertStandsInABatch(NodeReply reply, String context) {
        JsonNode batch = oracle.tree(batchWith(reply));
        assertThat(batch.size()).as(context).isEqualTo(3);
        assertThat(batch.get(1).get("id")).as(context).isEqualTo(oracle.tree(reply.id()));
        if (reply.reply() instanceof RpcReply.Result result) {
            assertThat(batch.get(1).get("result")).as(context).isEqualTo(oracle.tree(result.value()));
        } else if (reply.reply() instanceof RpcReply.Failure failure) {
            String message = batch.get(1).get("error").get("message").stringValue();
            assertThat(maskedString(message))
                    .as(context)
                    .isEqualTo(maskedString(failure.error().message()));
        }
    }

    /** To brackets and strings, the batch that holds the reply is the batch that holds a plain one. */
    private void assertContained(NodeReply reply, String context) {
        try {
            byte[] batch = batchWith(reply);
            List<NodeReply> replies =
                    ReplyReader.readBatch(batch, 0, batch.length, 3).replies();
            assertThat(replies).as(context).hasSize(3);
            assertThat(replies.get(1)).as(context).isEqualTo(reply);
        } catch (MalformedReplyException e) {
            throw new AssertionError(context, e);
        }
    }

    private byte[] batchWith(NodeReply reply) {
        RawJson id = RawJson.of("0");
        RpcReply plain = new RpcReply.Result(RawJson.of("true"));
        ReplyText batch = ReplyText.array(List.of(id, reply.id(), id), List.of(plain, reply.reply(), plain));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        batch.writeTo(out::write);
        assertThat(batch.length()).isEqualTo(out.size());
        return out.toByteArray();
    }

    private boolean isValid(Map<String, RawJson> members) {
        JsonNode id = tree(members, "id");
        JsonNode result = tree(members, "result");
        JsonNode error = tree(members, "error");
        boolean hasError = error != null && !error.isNull();
        boolean idIsFine = id == null || id.isString() || id.isNumber() || id.isNull();
        if (!hasError) {
            return idIsFine && result != null;
        }
        return idIsFine && (result == null || result.isNull()) && isError(error);
    }

    private static boolean isError(JsonNode error) {
        return error.isObject()
                && error.path("code").isNumber()
                && (!error.has("message") || error.get("message").isString());
    }

    private JsonNode tree(Map<String, RawJson> members, String name) {
        return members.containsKey(name) ? oracle.tree(members.get(name)) : null;
    }
}
