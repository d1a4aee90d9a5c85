package io.weir.app.differential;

import io.weir.app.differential.Answers.Answer;
import java.util.Objects;
import java.util.Set;

/** A deliberate difference between the proxy's answer and that of the node behind it. Immutable. */
enum Deviation {
    /**
     * Whichever node is behind, a lookup that finds nothing answers {@code null}; this one has errors instead for uncles and
     * for numbers of transactions.
     */
    NOTHING_FOUND_IS_NULL {
        @Override
        boolean explains(String method, Answer node, Answer proxy) {
            boolean unknown = node.code() != null
                    && (node.code() == -32001
                            || node.code() == -32602 && node.message().startsWith("BlockOutOfRange"));
            return unknown && LOOKUPS.contains(method) && "null".equals(proxy.result());
        }
    },
    /** A permanent outcome of an executed call: clients repeat calls at -32603, so they get -32000. */
    LASTING_ERROR_IS_NOT_INTERNAL {
        @Override
        boolean explains(String method, Answer node, Answer proxy) {
            return node.code() != null
                    && node.code() == -32603
                    && proxy.code() != null
                    && proxy.code() == -32000
                    && node.message().startsWith("EVM error ")
                    && node.message().equals(proxy.message())
                    && Objects.equals(node.data(), proxy.data());
        }
    };

    private static final Set<String> LOOKUPS = Set.of(
            "eth_getBlockTransactionCountByHash",
            "eth_getBlockTransactionCountByNumber",
            "eth_getUncleByBlockHashAndIndex",
            "eth_getUncleByBlockNumberAndIndex",
            "eth_getUncleCountByBlockHash",
            "eth_getUncleCountByBlockNumber");

    /** Whether two answers that differ do so for this reason. */
    abstract boolean explains(String method, Answer node, Answer proxy);
}
