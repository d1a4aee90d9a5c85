package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The members that mean something in an envelope or an error. Immutable. */
enum EnvelopeMember {
    VERSION("jsonrpc"),
    ID("id"),
    METHOD("method"),
    PARAMS("params"),
    RESULT("result"),
    ERROR("error"),
    CODE("code"),
    MESSAGE("message"),
    DATA("data"),
    OTHER("");

    private final byte[] name;

    EnvelopeMember(String name) {
        this.name = name.getBytes(UTF_8);
    }

    /** The member of this name, its escapes resolved. */
    static EnvelopeMember named(byte[] text, int start, int end) {
        return switch (end - start) {
            case 2 -> ID.ifNamed(text, start, end);
            case 4 -> (text[start] == 'c' ? CODE : DATA).ifNamed(text, start, end);
            case 5 -> ERROR.ifNamed(text, start, end);
            case 6 -> sixLetters(text[start]).ifNamed(text, start, end);
            case 7 -> (text[start] == 'j' ? VERSION : MESSAGE).ifNamed(text, start, end);
            default -> OTHER;
        };
    }

    private static EnvelopeMember sixLetters(byte first) {
        return switch (first) {
            case 'm' -> METHOD;
            case 'p' -> PARAMS;
            default -> RESULT;
        };
    }

    private EnvelopeMember ifNamed(byte[] text, int start, int end) {
        return Arrays.equals(name, 0, name.length, text, start, end) ? this : OTHER;
    }
}
