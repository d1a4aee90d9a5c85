package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Common form in which clients see a revert of any node: geth's. It has code 3, the message {@code execution reverted}
 * followed by the reason if there is one, and the payload in hex as data. Pure and thread-safe.
 */
final class RevertError {

    private static final int CODE = 3;
    private static final String MESSAGE = "execution reverted";
    private static final RawJson EMPTY = RawJson.of("\"0x\"");

    /** Words before a reason that a node knows from the contract's source: those of most nodes, and hardhat's. */
    private static final List<String> BEFORE_REASON = List.of(MESSAGE + ": ", "reverted with custom error ");

    /** Beginning of what anvil writes in place of a reason. */
    private static final String PAYLOAD_AGAIN = "custom error 0x";

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
     * @param message as the node wrote it; its reason is kept unless the payload has one
     */
    static RpcError of(NodeError error, String message) {
        RawJson payload = error.payload();
        if (payload != null) {
            String reason = RevertReason.of(payload);
            return revert(reason == null ? withoutRepetition(reasonIn(message), payload) : reason, payload.compact());
        }
        return revert(reasonIn(message), error.says(WITHOUT_PAYLOAD) ? null : EMPTY);
    }

    /** anvil writes a payload that is text as the reason, and others do not. */
    private static @Nullable String withoutRepetition(@Nullable String reason, RawJson payload) {
        return reason != null
                        && payload.equals(RawJson.of("\"0x" + HexFormat.of().formatHex(reason.getBytes(UTF_8)) + '"'))
                ? null
                : reason;
    }

    private static RpcError revert(@Nullable String reason, @Nullable RawJson data) {
        // An empty reason counts as a reason, as in geth.
        String message = reason == null ? MESSAGE : MESSAGE + ": " + CleanText.line(reason);
        return new RpcError(CODE, message, data);
    }

    private static @Nullable String reasonIn(String message) {
        for (String begin : BEFORE_REASON) {
            int at = message.indexOf(begin);
            if (at >= 0) {
                String reason = message.substring(at + begin.length());
                return reason.startsWith(PAYLOAD_AGAIN) ? null : CleanText.of(reason);
            }
        }
        return null;
    }
}
