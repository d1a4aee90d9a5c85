package io.weir.upstream;

import io.weir.api.NetworkKind;
import io.weir.api.NetworkKind.ProbeCall;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The question which chain a node serves, and the reading of its answer. Thread-safe. */
public final class ChainQuestion {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final NetworkKind kind;
    private final String expected;
    private final RpcCall call;

    public ChainQuestion(NetworkKind kind, String chainId) {
        this.kind = kind;
        this.expected = kind.normaliseChainId(chainId);
        this.call = call(kind.chainIdCall());
    }

    /** Returns a call of a probe. */
    public static RpcCall call(ProbeCall probe) {
        return new RpcCall(RawJson.of("1"), probe.method(), RawJson.of(MAPPER.writeValueAsBytes(probe.params())));
    }

    public RpcCall call() {
        return call;
    }

    /** Returns the id of the network's chain in normal form. */
    public String expected() {
        return expected;
    }

    /** Reads the id of a chain in normal form. A plugin may provide the kind, so any exception means that the result is of another form. */
    public String read(JsonNode result) {
        return kind.normaliseChainId(kind.readChainId(result));
    }

    /** Returns whether a result names the network's chain. */
    public boolean isAnsweredBy(RawJson result) {
        try {
            return read(MAPPER.readTree(result.array(), result.offset(), result.length()))
                    .equals(expected);
        } catch (RuntimeException e) {
            return false;
        }
    }
}
