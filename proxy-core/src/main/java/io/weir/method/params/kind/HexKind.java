package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;

/** Kinds of hexadecimal values. Immutable and thread-safe. */
public enum HexKind implements Kind {
    /** An account. */
    ADDRESS("address of 20 bytes in hex") {
        @Override
        RawJson normalise(RawJson value, HexText text) throws InvalidParamsException {
            return bytes(20, value, text);
        }
    },
    /** A hash, or another word of 32 bytes. */
    HASH("hash of 32 bytes in hex") {
        @Override
        RawJson normalise(RawJson value, HexText text) throws InvalidParamsException {
            return bytes(32, value, text);
        }
    },
    /** Any number of bytes. Like nodes, accepts no digits and an empty string as no bytes. */
    DATA("bytes in hex") {
        @Override
        public RawJson normalise(RawJson value, ParamCounts counts) throws InvalidParamsException {
            return value.length() == 2 && value.first() == '"' ? NO_BYTES : super.normalise(value, counts);
        }

        @Override
        RawJson normalise(RawJson value, HexText text) throws InvalidParamsException {
            if (text.digits() % 2 != 0) {
                throw wrong(value);
            }
            return text.bytes();
        }
    },
    /** A number up to 2^256-1. Like nodes, accepts no digits as zero. */
    QUANTITY("quantity in hex") {
        @Override
        RawJson normalise(RawJson value, HexText text) throws InvalidParamsException {
            return quantity(64, value, text);
        }
    },
    /** A number up to 2^64-1, likewise. */
    QUANTITY_64("quantity in hex of at most 64 bits") {
        @Override
        RawJson normalise(RawJson value, HexText text) throws InvalidParamsException {
            return quantity(16, value, text);
        }
    },
    /** A position in a list, up to 2^64-1. */
    INDEX("index in hex") {
        @Override
        RawJson normalise(RawJson value, HexText text) throws InvalidParamsException {
            if (text.digits() == 0) {
                throw wrong(value);
            }
            return quantity(16, value, text);
        }
    },
    /**
     * A storage position, or a word of storage, of up to 32 bytes. Nodes differ in the lengths they accept, except for the
     * full one.
     */
    STORAGE_WORD("storage word of at most 32 bytes in hex") {
        @Override
        RawJson normalise(RawJson value, HexText text) throws InvalidParamsException {
            if (text.digits() > WORD_DIGITS) {
                throw wrong(value);
            }
            return text.padded(WORD_DIGITS);
        }
    },
    /** A storage position of {@code eth_getProof}, whose answer repeats the form, word or quantity. */
    PROOF_KEY("storage position of at most 32 bytes in hex") {
        @Override
        RawJson normalise(RawJson value, HexText text) throws InvalidParamsException {
            if (text.digits() > WORD_DIGITS) {
                throw wrong(value);
            }
            return text.digits() == WORD_DIGITS ? text.bytes() : text.quantity();
        }
    };

    private static final int WORD_DIGITS = 64;
    private static final RawJson NO_BYTES = RawJson.of("\"0x\"");

    private final String expected;

    HexKind(String expected) {
        this.expected = expected;
    }

    @Override
    public RawJson normalise(RawJson value, ParamCounts counts) throws InvalidParamsException {
        HexText text = HexText.read(value);
        if (text == null) {
            throw wrong(value);
        }
        return normalise(value, text);
    }

    abstract RawJson normalise(RawJson value, HexText text) throws InvalidParamsException;

    final RawJson bytes(int count, RawJson value, HexText text) throws InvalidParamsException {
        if (text.digits() != count * 2) {
            throw wrong(value);
        }
        return text.bytes();
    }

    final RawJson quantity(int maxDigits, RawJson value, HexText text) throws InvalidParamsException {
        if (text.significantDigits() > maxDigits) {
            throw wrong(value);
        }
        return text.quantity();
    }

    final InvalidParamsException wrong(RawJson value) {
        return InvalidParamsException.wrong(value, expected);
    }
}
