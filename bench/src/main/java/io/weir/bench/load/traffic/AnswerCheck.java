package io.weir.bench.load.traffic;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.bench.load.chain.CallText;
import io.weir.bench.load.chain.JsonText;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares answers with the chain. They have the same bytes as a node's, or else the same ids with the same values. Notation, and
 * the order in a batch, may differ. Thread-safe.
 */
public final class AnswerCheck {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int EXCERPT = 200;

    private final Results results;

    /** The right results. Thread-safe. */
    @FunctionalInterface
    public interface Results {

        /** Returns the result as JSON text; null where a node does not know the method. */
        byte @Nullable [] result(CallText call);
    }

    /** Checks against what a node answers. */
    public AnswerCheck(Results results) {
        this.results = results;
    }

    /** Checks that every call has this result. */
    public static AnswerCheck always(String result) {
        byte[] text = result.getBytes(ISO_8859_1);
        return new AnswerCheck(call -> text);
    }

    /** The answer that a node sends. */
    public byte[] expected(byte[] body) {
        List<CallText> calls = CallText.read(body);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean batch = body[0] == '[';
        for (CallText call : calls) {
            if (batch) {
                out.write(out.size() == 0 ? '[' : ',');
            }
            out.writeBytes(("{\"jsonrpc\":\"2.0\",\"id\":" + call.id() + ",\"result\":").getBytes(ISO_8859_1));
            out.writeBytes(result(call));
            out.write('}');
        }
        if (batch) {
            out.write(']');
        }
        return out.toByteArray();
    }

    /** Returns the defect of an answer; null if it is right. */
    public @Nullable String problem(byte[] body, byte[] answer) {
        byte[] expected = expected(body);
        if (Arrays.equals(expected, answer) || isSame(body, answer)) {
            return null;
        }
        return "asked " + excerpt(body) + ", got " + excerpt(answer) + " (expected: " + excerpt(expected) + ")";
    }

    private boolean isSame(byte[] body, byte[] answer) {
        try {
            Map<String, JsonText> byId = new HashMap<>();
            JsonText text = new JsonText(new String(answer, ISO_8859_1));
            List<JsonText> replies =
                    text.isArray() ? text.elements().stream().map(JsonText::new).toList() : List.of(text);
            replies.forEach(reply -> byId.put(reply.member("id"), reply));
            List<CallText> calls = CallText.read(body);
            return calls.size() == replies.size()
                    && calls.stream().allMatch(call -> isSame(byId.get(call.id()), result(call)));
        } catch (StringIndexOutOfBoundsException e) {
            // No JSON.
            return false;
        }
    }

    private static boolean isSame(@Nullable JsonText reply, byte[] result) {
        if (reply == null || !reply.member("error").isEmpty()) {
            return false;
        }
        byte[] got = reply.member("result").getBytes(ISO_8859_1);
        try {
            return Arrays.equals(got, result) || JSON.readTree(got).equals(JSON.readTree(result));
        } catch (JacksonException e) {
            return false;
        }
    }

    private byte[] result(CallText call) {
        byte[] result = results.result(call);
        if (result == null) {
            throw new IllegalArgumentException("method: " + call.method() + " (expected: one that the chain answers)");
        }
        return result;
    }

    private static String excerpt(byte[] text) {
        String all = new String(text, UTF_8);
        return all.length() <= EXCERPT ? all : all.substring(0, EXCERPT) + "… (" + text.length + " bytes)";
    }
}
