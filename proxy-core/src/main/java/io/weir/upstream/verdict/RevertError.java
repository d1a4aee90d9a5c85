package io.weir.upstream.verdict;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import org.jspecify.annotations.Nullable;

/**
 * Common form in which clients see a revert of any node: geth's. It has code 3, the message {@code execution reverted}
 * followed by the reason if there is one, and the payload in hex as data. Pure and thread-safe.
 */
final class RevertError {

    private static final int CODE = 3;
    private static final String MESSAGE = "execution reverted";
    private static final RawJson EMPTY = RawJson.of("\"0x\"");

    private static final Wording REVERTED = Wording.of(
            "execution reverted",
            "transaction reverted",
            "reverted 0x",
            "vm exception while processing transaction: revert",
            "vm exception while processing transaction: expected return data");

    /** Wording of Hardhat, which omits the payload of an incorrectly encoded reason. */
    private static final Wording WITHOUT_PAYLOAD = Wording.of("vm exception while processing transaction: expected");

    private RevertError() {}

    /** Returns whether an error is a revert, and its method one whose reverts get the common form. */
    static boolean is(NodeError error) {
        return error.facts().executes() && (error.code() == CODE || isRevertPayload(error) || error.says(REVERTED));
    }

    /** Returns whether the payload alone shows a revert: it is encoded as Solidity encodes reasons. */
    static boolean isRevertPayload(NodeError error) {
        RawJson payload = error.payload();
        return payload != null
                && (RevertReason.startsWith(payload, RevertReason.ERROR_SELECTOR)
                        || RevertReason.startsWith(payload, RevertReason.PANIC_SELECTOR));
    }

    /**
     * Returns the revert in the common form.
     *
     * @param message as the node wrote it; its reason is kept if there is no payload
     */
    static RpcError of(NodeError error, String message) {
        RawJson payload = error.payload();
        if (payload != null) {
            return revert(RevertReason.of(payload), payload.compact());
        }
        return revert(reasonIn(message), error.says(WITHOUT_PAYLOAD) ? null : EMPTY);
    }

    private static RpcError revert(@Nullable String reason, @Nullable RawJson data) {
        // An empty reason counts as a reason, as in geth.
        String message = reason == null ? MESSAGE : MESSAGE + ": " + CleanText.line(reason);
        return new RpcError(CODE, message, data);
    }

    private static @Nullable String reasonIn(String message) {
        String begin = MESSAGE + ": ";
        return message.startsWith(begin) ? CleanText.of(message.substring(begin.length())) : null;
    }
}
