package io.weir.wallet.chain;

import io.weir.api.RpcException;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The meanings of the network's error codes, and of answers that cannot be read. Thread-safe. */
public final class NodeError {
    public static final int CONTRACT_NOT_FOUND = 20;
    public static final int ENTRYPOINT_NOT_FOUND = 21;
    public static final int BLOCK_NOT_FOUND = 24;
    public static final int UNKNOWN_HASH = 29;
    public static final int CONTRACT_ERROR = 40;
    public static final int INVALID_NONCE = 52;
    public static final int ALREADY_IN_MEMPOOL = 59;

    /** The specification's own codes, all of them below this. */
    private static final int FIRST_FOREIGN = 1000;

    /** JSON-RPC: the request itself is wrong, so that nobody can have carried it out. */
    private static final Set<Integer> REFUSALS = Set.of(-32700, -32600, -32601, -32602);

    private NodeError() {}

    /**
     * Reads the result of a method. The node is to blame for a result that the reader cannot read.
     *
     * @throws RpcException which says so
     */
    static <T> T read(String method, JsonNode result, Function<JsonNode, T> reader) {
        try {
            return reader.apply(result);
        } catch (RpcException e) {
            throw e;
        } catch (RuntimeException e) {
            throw SnapErrors.failed(method + ": the node's answer cannot be read");
        }
    }

    /**
     * Whether a node has said no to what was sent. Anything else, a timeout or a broken connection above all, says nothing of
     * what became of it.
     */
    public static boolean isRefusal(RpcException error) {
        return (error.code() > 0 && error.code() < FIRST_FOREIGN) || REFUSALS.contains(error.code());
    }
}
