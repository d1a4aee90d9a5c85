package io.weir.upstream.verdict;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one form in which a revert reaches clients, whichever node it comes from: geth's. Code 3, {@code execution reverted} and
 * behind it the reason where there is one, and the payload in hex as data. Pure and thread-safe.
 */
final class RevertError {

    private static final int CODE = 3;
    private static final String MESSAGE = "execution reverted";
    private static final RawJson EMPTY = RawJson.of("\"0x\"");

    /** Calls that are carried out and leave nothing behind. */
    private static final Set<String> SIMULATIONS = Set.of(
            "eth_call",
            "eth_callMany",
            "eth_createAccessList",
            "eth_estimateGas",
            "eth_simulateV1",
            "debug_traceCall",
            "trace_call");

    private static final Wording REVERTED = Wording.of(
            "execution reverted",
            "transaction reverted",
            "reverted 0x",
            "vm exception while processing transaction: revert",
            "vm exception while processing transaction: expected return data");

    /** Hardhat does not give the payload of a reason that is not encoded as it should be. */
    private static final Wording WITHOUT_PAYLOAD = Wording.of("vm exception while processing transaction: expected");

    private RevertError() {}

    /** Whether an error is a revert and its method one whose reverts are all to look the same. */
    static boolean is(NodeError error) {
        return SIMULATIONS.contains(error.method())
                && (error.code() == CODE || payloadTells(error) || error.says(REVERTED));
    }

    /** Whether the payload by itself shows that this is a revert: it is encoded as Solidity encodes reasons. */
    static boolean payloadTells(NodeError error) {
        RawJson payload = error.payload();
        return payload != null
                && (RevertReason.startsWith(payload, RevertReason.ERROR_SELECTOR)
                        || RevertReason.startsWith(payload, RevertReason.PANIC_SELECTOR));
    }

    /**
     * The revert in its one form.
     *
     * @param message as the node wrote it: where it gave no payload, the reason in it is kept
     */
    static RpcError of(NodeError error, String message) {
        RawJson payload = error.payload();
        if (payload != null) {
            return revert(RevertReason.of(payload), payload.compact());
        }
        return revert(told(message), error.says(WITHOUT_PAYLOAD) ? null : EMPTY);
    }

    private static RpcError revert(@Nullable String reason, @Nullable RawJson data) {
        // Also where the reason is empty, as geth has it: an empty reason is one.
        String message = reason == null ? MESSAGE : MESSAGE + ": " + CleanText.line(reason);
        return new RpcError(CODE, message, data);
    }

    private static @Nullable String told(String message) {
        String begin = MESSAGE + ": ";
        return message.startsWith(begin) ? CleanText.of(message.substring(begin.length())) : null;
    }
}
