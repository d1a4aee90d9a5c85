package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;

/** Kinds of values that have one form only. Immutable and thread-safe. */
public enum PlainKind implements Kind {
    /** {@code true} or {@code false}. */
    BOOLEAN("true or false") {
        @Override
        boolean fits(byte first) {
            return first == 't' || first == 'f';
        }
    },
    /** A text that only the node that created it interprets, such as a filter's id. */
    TEXT("text") {
        @Override
        boolean fits(byte first) {
            return first == '"';
        }
    },
    /** Any value except {@code null}; the node interprets it. */
    ANYTHING("a value") {
        @Override
        boolean fits(byte first) {
            return first != 'n';
        }
    };

    private final String expected;

    PlainKind(String expected) {
        this.expected = expected;
    }

    @Override
    public boolean isCounted() {
        return false;
    }

    @Override
    public RawJson normalise(RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (!fits(value.first())) {
            throw InvalidParamsException.wrong(value, expected);
        }
        return value;
    }

    abstract boolean fits(byte first);
}
