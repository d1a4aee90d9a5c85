package io.weir.bench.load.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.CallText;
import java.util.ArrayList;
import java.util.List;

/** Answers calls with envelopes around results, as parts that are written one after the other. Confined to its event loop. */
record CallAnswer(Answers answers, NodeMode mode) {

    private static final byte[] OPEN = "[".getBytes(US_ASCII);
    private static final byte[] COMMA = ",".getBytes(US_ASCII);
    private static final byte[] CLOSE = "]".getBytes(US_ASCII);
    private static final byte[] END = "}".getBytes(US_ASCII);

    /** The parts of the answer to one call, or to a batch. */
    List<byte[]> parts(List<CallText> calls, boolean batch) {
        List<byte[]> parts = new ArrayList<>(calls.size() * 4 + 2);
        for (CallText call : calls) {
            if (batch) {
                parts.add(parts.isEmpty() ? OPEN : COMMA);
            }
            one(call, parts);
        }
        if (batch) {
            parts.add(CLOSE);
        }
        return parts;
    }

    private void one(CallText call, List<byte[]> parts) {
        mode.called(call.method());
        String id = call.id().isEmpty() ? "null" : call.id();
        byte[] result = answers.result(call);
        if (result == null) {
            parts.add(("{\"jsonrpc\":\"2.0\",\"id\":" + id
                            + ",\"error\":{\"code\":-32601,\"message\":\"the method does not exist\"}}")
                    .getBytes(ISO_8859_1));
            return;
        }
        parts.add(("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":").getBytes(ISO_8859_1));
        parts.add(result);
        parts.add(END);
    }
}
