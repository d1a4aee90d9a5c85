package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonString;
import io.weir.method.params.kind.HexText;
import java.util.HexFormat;
import java.util.Set;

/** Reader of the strings in a call's parameters, in every form in which a node may quote them. Pure and thread-safe. */
final class CallerStrings {

    /** Strings that are words of the protocol and not of the caller. None of them contains a phrase that counts against a node. */
    static final Set<String> PROTOCOL_WORDS =
            Set.of(("accessList address authorizationList blobVersionedHashes blockHash blockNumber "
                            + "blockOverrides blockStateCalls chainId earliest finalized fromBlock gasPrice latest "
                            + "maxFeePerBlobGas maxFeePerGas maxPriorityFeePerGas nonce pending requireCanonical state "
                            + "stateDiff stateOverrides storageKeys toBlock topics value")
                    .split(" "));

    private static final int MAX_WORD_BYTES = 24;

    /** Hex strings of this length are data. */
    private static final int LONG_HEX_BYTES = 256;

    private CallerStrings() {}

    /** Receiver of strings. */
    interface Sink {

        void take(String string);

        /** Takes the bytes of a string in UTF-8, as they are written in the call. */
        void take(byte[] bytes, int start, int end);
    }

    /** Reads each string of a well-formed JSON text, names of members included. */
    static void read(RawJson json, Sink sink) {
        byte[] bytes = json.array();
        int end = json.offset() + json.length();
        int at = json.offset();
        while (at < end) {
            if (bytes[at] != '"') {
                at++;
                continue;
            }
            int start = at + 1;
            boolean escapes = false;
            at = start;
            while (bytes[at] != '"') {
                boolean escape = bytes[at] == '\\';
                escapes |= escape;
                at += escape ? 2 : 1;
            }
            readString(bytes, start, at, escapes, sink);
            at++;
        }
    }

    private static void readString(byte[] bytes, int start, int end, boolean escapes, Sink sink) {
        if (end - start < CallerText.SHORT_RUN || isLongHex(bytes, start, end) || isProtocolWord(bytes, start, end)) {
            return;
        }
        if (escapes) {
            String string = JsonString.unescape(bytes, start, end);
            sink.take(string);
            if (string.indexOf('\\') >= 0) {
                // A node that parses the string as JSON again would undo these escapes too.
                sink.take(unescaped(string));
            }
        }
        sink.take(bytes, start, end);
    }

    /** Returns whether a string is long hex data. No phrase has a run of hex digits long enough to count as quoted. */
    private static boolean isLongHex(byte[] bytes, int start, int end) {
        if (end - start < LONG_HEX_BYTES || bytes[start] != '0' || bytes[start + 1] != 'x') {
            return false;
        }
        int at = start + 2;
        while (at < end && HexText.digit(bytes[at]) >= 0) {
            at++;
        }
        return at == end;
    }

    private static boolean isProtocolWord(byte[] bytes, int start, int end) {
        return end - start <= MAX_WORD_BYTES
                && PROTOCOL_WORDS.contains(new String(bytes, start, end - start, US_ASCII));
    }

    /** Undoes escapes of JSON and of other languages. Anything else stays. */
    private static String unescaped(String string) {
        StringBuilder plain = new StringBuilder(string.length());
        int at = 0;
        while (at < string.length()) {
            char c = string.charAt(at);
            char kind = c == '\\' && at + 1 < string.length() ? string.charAt(at + 1) : 0;
            int digits = kind == 'u' ? 4 : kind == 'x' ? 2 : 0;
            int code = digits == 0 ? -1 : hex(string, at + 2, digits);
            if (code >= 0) {
                plain.append((char) code);
                at += 2 + digits;
            } else if (kind != 0) {
                plain.append("nrtbf".indexOf(kind) >= 0 ? ' ' : kind);
                at += 2;
            } else {
                plain.append(c);
                at++;
            }
        }
        return plain.toString();
    }

    /** Returns the code of so many hex digits, or -1 if there are fewer. */
    private static int hex(String string, int start, int digits) {
        int end = start + digits;
        boolean whole =
                end <= string.length() && string.substring(start, end).chars().allMatch(HexFormat::isHexDigit);
        return whole ? HexFormat.fromHexDigits(string, start, end) : -1;
    }
}
