package io.weir.l2.deploy.intake;

import io.weir.api.RpcException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

/** Problems of the fields of one transaction, the first {@value #MAX} of them in words. Confined to a thread. */
final class Problems {
    static final int MAX = 100;

    private static final int MAX_CHARACTERS = 80;

    private record Problem(String path, String expected, String got) {}

    private final List<Problem> told = new ArrayList<>();
    private int count;

    /**
     * Notes a field that is wrong.
     *
     * @param expected the rule
     * @param got what came; a missing node where nothing did
     */
    void add(String path, String expected, JsonNode got) {
        count++;
        if (told.size() < MAX) {
            told.add(new Problem(path, expected, shown(got)));
        }
    }

    /** Whether nothing is wrong. */
    boolean none() {
        return count == 0;
    }

    /** All of them as one error: the first in the message, and each in its data. */
    RpcException refusal() {
        Problem first = told.get(0);
        String more = count == 1 ? "" : ", and " + (count - 1) + " more: see data";
        ArrayNode data = JsonNodeFactory.instance.arrayNode();
        for (Problem problem : told) {
            data.addObject()
                    .put("path", problem.path())
                    .put("expected", problem.expected())
                    .put("got", problem.got());
        }
        return new RpcException(
                RpcException.INVALID_PARAMS,
                first.path() + ": " + first.got() + " (expected: " + first.expected() + ")" + more,
                data);
    }

    /** A value in a few words: a text in quotes and cut short, and only the size of what has parts. */
    static String shown(JsonNode value) {
        if (value.isMissingNode()) {
            return "nothing";
        }
        if (value.isArray()) {
            return "an array of " + value.size();
        }
        if (value.isObject()) {
            return "an object of " + value.size();
        }
        if (value.isString()) {
            return StringNode.valueOf(cut(value.stringValue())).toString();
        }
        return cut(value.toString());
    }

    /** A text that is no longer than is read. */
    static String cut(String text) {
        if (text.length() <= MAX_CHARACTERS) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_CHARACTERS - 1)) ? MAX_CHARACTERS - 1 : MAX_CHARACTERS;
        return text.substring(0, end) + "…";
    }
}
