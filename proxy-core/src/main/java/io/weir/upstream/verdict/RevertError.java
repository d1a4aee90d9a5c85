package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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
        String message = reason == null ? MESSAGE : MESSAGE + ": " + CleanError.line(reason);
        return new RpcError(CODE, message, data);
    }

    private static @Nullable String reasonIn(String message) {
        for (String begin : BEFORE_REASON) {
            int at = message.indexOf(begin);
            if (at >= 0) {
                String reason = message.substring(at + begin.length());
                return reason.startsWith(PAYLOAD_AGAIN) ? null : CleanError.text(reason);
            }
        }
        return null;
    }

    /**
     * Reason of a contract's revert in geth's words: the string of an {@code Error(string)}, or the meaning of the code of a
     * {@code Panic(uint256)}. Anything else, and any incorrect encoding, has no reason. Pure and thread-safe.
     */
    static final class RevertReason {

        /** Bytes of a reason that are shown. The payload has all of them. */
        static final int MAX_BYTES = 4096;

        static final String ERROR_SELECTOR = "08c379a0";
        static final String PANIC_SELECTOR = "4e487b71";

        private static final int WORD_BYTES = 32;

        /** Bytes of the selector. */
        private static final int HEAD_BYTES = 4;

        private static final Map<Long, String> PANICS = Map.of(
                0x00L, "generic panic",
                0x01L, "assert(false)",
                0x11L, "arithmetic underflow or overflow",
                0x12L, "division or modulo by zero",
                0x21L, "enum overflow",
                0x22L, "invalid encoded storage byte array accessed",
                0x31L, "out-of-bounds array access; popping on an empty array",
                0x32L, "out-of-bounds access of an array or bytesN",
                0x41L, "out of memory",
                0x51L, "uninitialized function");

        private RevertReason() {}

        /**
         * Returns the reason, which may be empty; null if there is none.
         *
         * @param payload a JSON string of whole bytes in hex
         */
        static @Nullable String of(RawJson payload) {
            boolean isError = startsWith(payload, ERROR_SELECTOR);
            if (!isError && !startsWith(payload, PANIC_SELECTOR)) {
                return null;
            }
            byte[] data = HexFormat.of().parseHex(payload.toString(), 3, payload.length() - 1);
            return isError ? string(data) : panic(data);
        }

        static boolean startsWith(RawJson payload, String hex) {
            return RevertPayload.startsWith(payload, ("\"0x" + hex).getBytes(US_ASCII));
        }

        private static @Nullable String panic(byte[] data) {
            if (data.length < HEAD_BYTES + WORD_BYTES) {
                return null;
            }
            BigInteger code = word(data, HEAD_BYTES);
            String known = code.bitLength() < Long.SIZE ? PANICS.get(code.longValue()) : null;
            return known != null ? known : "unknown panic code: 0x" + code.toString(16);
        }

        private static @Nullable String string(byte[] data) {
            int total = data.length - HEAD_BYTES;
            if (total < WORD_BYTES) {
                return null;
            }
            int lengthAt = bounded(word(data, HEAD_BYTES), total - WORD_BYTES);
            if (lengthAt < 0) {
                return null;
            }
            int length = bounded(word(data, HEAD_BYTES + lengthAt), total - WORD_BYTES - lengthAt);
            return length < 0 ? null : text(data, HEAD_BYTES + lengthAt + WORD_BYTES, length);
        }

        /** Returns the number, or -1 if it exceeds the maximum. */
        private static int bounded(BigInteger number, int most) {
            return number.bitLength() < Integer.SIZE && number.intValue() <= most ? number.intValue() : -1;
        }

        private static BigInteger word(byte[] data, int at) {
            return new BigInteger(1, data, at, WORD_BYTES);
        }

        private static String text(byte[] data, int at, int length) {
            if (length <= MAX_BYTES) {
                return new String(data, at, length, UTF_8);
            }
            int end = MAX_BYTES;
            while ((data[at + end] & 0xC0) == 0x80 && end > MAX_BYTES - 3) {
                end--;
            }
            return new String(data, at, end, UTF_8) + "…";
        }
    }

    /**
     * Search for the bytes of a contract's revert, in the forms that nodes use. Pure and thread-safe.
     *
     * <pre>
     * "0x…"                                   geth and most others
     * "Reverted 0x…"                          parity, nethermind
     * {"data": "0x…", "message": …}           hardhat
     * {"result": "0x…", "reason": …}          ganache 7
     * {"0x&lt;transaction&gt;": {"return": "0x…"}}  ganache 6
     * </pre>
     */
    static final class RevertPayload {

        private static final byte[] REVERTED = "\"Reverted ".getBytes(US_ASCII);
        private static final List<String> MEMBERS = List.of("data", "result", "return");
        private static final NameTable NAMES = NameTable.of(MEMBERS);

        private RevertPayload() {}

        /** Returns the payload in an error's data, as a JSON string in lower case; null if there is none. */
        static @Nullable RawJson in(@Nullable RawJson data) {
            if (data == null) {
                return null;
            }
            if (data.first() == '"') {
                return ofString(data);
            }
            if (data.first() != '{') {
                return null;
            }
            try {
                return ofObject(data, true);
            } catch (JsonSyntaxException e) {
                // The data was sliced by its delimiters only. If it is not JSON inside, it holds no payload.
                return null;
            }
        }

        /** Returns whether a JSON value is a string of whole bytes in hex. */
        static boolean isHex(RawJson value) {
            return hex(value) != null;
        }

        private static @Nullable RawJson hex(RawJson value) {
            HexText text = HexText.read(value);
            return text != null && text.digits() % 2 == 0 ? text.bytes() : null;
        }

        /** Returns whether a string begins with these bytes, its quote included, and has more. */
        static boolean startsWith(RawJson string, byte[] prefix) {
            int start = string.offset();
            return string.length() > prefix.length
                    && Arrays.equals(string.array(), start, start + prefix.length, prefix, 0, prefix.length);
        }

        private static @Nullable RawJson ofString(RawJson string) {
            RawJson hex = hex(string);
            return hex == null && startsWith(string, REVERTED)
                    ? hex(RawJson.of('"' + string.toString().substring(REVERTED.length)))
                    : hex;
        }

        private static @Nullable RawJson ofObject(RawJson object, boolean outer) throws JsonSyntaxException {
            JsonScanner scanner = JsonScanner.delimiters(object.array(), object.offset(), object.length());
            RawJson found = null;
            boolean more = scanner.enter();
            while (more && found == null) {
                String name = scanner.member(NAMES);
                int start = scanner.position();
                scanner.skip();
                RawJson value = RawJson.slice(object.array(), start, scanner.position() - start);
                if (value.first() == '"' && MEMBERS.contains(name)) {
                    found = ofString(value);
                } else if (outer && value.first() == '{' && name.startsWith("0x")) {
                    found = ofObject(value, false);
                }
                more = scanner.nextEntry();
            }
            return found;
        }
    }
}
