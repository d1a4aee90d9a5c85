package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.text.JsonString;
import io.weir.method.MethodCatalogue;
import java.util.List;
import java.util.Set;

/**
 * The parts of a node's error text that come from the caller: names of methods outside the catalogue, and strings of the
 * parameters. They are found by the runs of characters that both texts share, so that quoting, escaping, cutting and lower case do
 * not hide them. Takes time linear in the two texts. Confined to one thread.
 */
final class CallerText {

    /** Shared runs of this length are the caller's, wherever they stand. */
    static final int LONG_RUN = 8;

    /** A phrase shorter than {@link #LONG_RUN} is the caller's where all its runs of this length are shared. */
    static final int SHORT_RUN = 4;

    /** Stands for a character that came from the caller: a letter, so that no word seems to begin behind it. */
    static final char MASK = '\u00ff';

    /**
     * Strings that are words of the protocol and not of the caller. None of them holds a phrase that says something bad of a node.
     */
    static final Set<String> PROTOCOL_WORDS = Set.of(
            "accessList",
            "address",
            "authorizationList",
            "blobVersionedHashes",
            "blockHash",
            "blockNumber",
            "blockOverrides",
            "blockStateCalls",
            "chainId",
            "earliest",
            "finalized",
            "fromBlock",
            "gasPrice",
            "latest",
            "maxFeePerBlobGas",
            "maxFeePerGas",
            "maxPriorityFeePerGas",
            "nonce",
            "pending",
            "requireCanonical",
            "state",
            "stateDiff",
            "stateOverrides",
            "storageKeys",
            "toBlock",
            "topics",
            "value");

    private static final int MAX_WORD_BYTES = 24;

    /** Hex strings of this length are data. */
    private static final int LONG_HEX_BYTES = 256;

    private static final boolean[] HEX_DIGIT = hexDigits();
    private static final MethodCatalogue CATALOGUE = MethodCatalogue.otherKind();

    private final String text;
    private final GramTable shorts;
    private final GramTable longs;
    private String told = "";
    private long window;
    private int filled;

    private CallerText(String text) {
        this.text = text;
        this.shorts = new GramTable(text.length());
        this.longs = new GramTable(text.length());
    }

    /**
     * Finds what a text quotes from calls.
     *
     * @param text as {@link Letters#fold(String)} makes it
     */
    static CallerText in(String text, List<RpcCall> calls) {
        CallerText found = new CallerText(text);
        found.index();
        for (RpcCall call : calls) {
            if (!isKnown(call.method())) {
                found.read(call.method());
            }
            RawJson params = call.params();
            if (params != null) {
                found.readStrings(params);
            }
        }
        found.told = found.masked();
        return found;
    }

    /** Whether a method's name is not the caller's invention. */
    static boolean isKnown(String method) {
        return CATALOGUE.knows(method);
    }

    /** The node's own words: the text with the caller's long runs masked, character for character. */
    String told() {
        return told;
    }

    /** The same with short runs masked too: for words that say nothing when they stand within longer ones. */
    String toldStrictly() {
        StringBuilder strict = new StringBuilder(told);
        for (int i = 0; i + SHORT_RUN <= text.length(); i++) {
            if (shorts.wasSeen(gram(i, SHORT_RUN))) {
                mask(strict, i, SHORT_RUN);
            }
        }
        return strict.toString();
    }

    /** Whether a phrase at a place in the text may come from the caller; long ones are masked already. */
    boolean mayBeQuoted(int start, int length) {
        if (length < SHORT_RUN || length >= LONG_RUN) {
            return false;
        }
        for (int i = start; i + SHORT_RUN <= start + length; i++) {
            if (!shorts.wasSeen(gram(i, SHORT_RUN))) {
                return false;
            }
        }
        return true;
    }

    private void index() {
        for (int i = 0; i + SHORT_RUN <= text.length(); i++) {
            add(shorts, gram(i, SHORT_RUN));
            if (i + LONG_RUN <= text.length()) {
                add(longs, gram(i, LONG_RUN));
            }
        }
    }

    private static void add(GramTable table, long gram) {
        if (gram != 0) {
            table.add(gram);
        }
    }

    /** Characters of the text in one number; 0 where one of them is in no phrase. */
    private long gram(int start, int length) {
        long gram = 0;
        for (int i = start; i < start + length; i++) {
            int letter = Letters.fold(text.charAt(i));
            if (letter == Letters.OTHER) {
                return 0;
            }
            gram = gram << Byte.SIZE | letter;
        }
        return gram;
    }

    private String masked() {
        StringBuilder masked = new StringBuilder(text);
        for (int i = 0; i + LONG_RUN <= text.length(); i++) {
            if (longs.wasSeen(gram(i, LONG_RUN))) {
                mask(masked, i, LONG_RUN);
            }
        }
        return masked.toString();
    }

    private static void mask(StringBuilder text, int start, int length) {
        for (int i = start; i < start + length; i++) {
            text.setCharAt(i, MASK);
        }
    }

    /** Reads each string of a JSON text that is known to be well-formed, names of members too. */
    private void readStrings(RawJson json) {
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
            while (at < end && bytes[at] != '"') {
                boolean escape = bytes[at] == '\\';
                escapes |= escape;
                at += escape ? 2 : 1;
            }
            readString(bytes, start, Math.min(at, end), escapes);
            at++;
        }
    }

    private void readString(byte[] bytes, int start, int end, boolean escapes) {
        if (end - start < SHORT_RUN || isLongHex(bytes, start, end) || isProtocolWord(bytes, start, end)) {
            return;
        }
        if (escapes) {
            String string = JsonString.unescape(bytes, start, end);
            read(string);
            if (string.indexOf('\\') >= 0) {
                // A node that takes the string for JSON again would undo these escapes too.
                read(unescaped(string));
            }
        }
        read(bytes, start, end);
    }

    /** Whether it is long data in hex: no phrase has a run of hex digits that is long enough to count as quoted. */
    private static boolean isLongHex(byte[] bytes, int start, int end) {
        if (end - start < LONG_HEX_BYTES || bytes[start] != '0' || bytes[start + 1] != 'x') {
            return false;
        }
        int at = start + 2;
        while (at < end && HEX_DIGIT[bytes[at] & 0xff]) {
            at++;
        }
        return at == end;
    }

    private static boolean[] hexDigits() {
        boolean[] digits = new boolean[256];
        "0123456789abcdefABCDEF".chars().forEach(digit -> digits[digit] = true);
        return digits;
    }

    private static boolean isProtocolWord(byte[] bytes, int start, int end) {
        return end - start <= MAX_WORD_BYTES
                && PROTOCOL_WORDS.contains(new String(bytes, start, end - start, US_ASCII));
    }

    private void read(String string) {
        filled = 0;
        for (int i = 0; i < string.length(); i++) {
            take(Letters.fold(string.charAt(i)));
        }
    }

    private void read(byte[] bytes, int start, int end) {
        filled = 0;
        for (int i = start; i < end; i++) {
            if (bytes[i] < 0) {
                read(new String(bytes, start, end - start, UTF_8));
                return;
            }
            take(Letters.fold(bytes[i]));
        }
    }

    private void take(int letter) {
        if (letter == Letters.OTHER) {
            filled = 0;
            return;
        }
        if (letter == ' ' && filled > 0 && (window & 0xff) == ' ') {
            return;
        }
        window = window << Byte.SIZE | letter;
        filled++;
        if (filled >= SHORT_RUN && shorts.see(window & 0xffff_ffffL) && filled >= LONG_RUN) {
            longs.see(window);
        }
    }

    /** Undoes escapes of JSON and of other languages; what is none stays. */
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

    /** -1 where so many hex digits do not stand there. */
    private static int hex(String string, int start, int digits) {
        if (start + digits > string.length()) {
            return -1;
        }
        int code = 0;
        for (int i = start; i < start + digits; i++) {
            int digit = Character.digit(string.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            code = code << 4 | digit;
        }
        return code;
    }
}
