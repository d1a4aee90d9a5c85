package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/** Kinds of values that have one form only. Immutable and thread-safe. */
public enum PlainKind implements Kind.Uncounted {
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
    public String expected() {
        return expected;
    }

    @Override
    public @Nullable RawJson normal(RawJson value, ParamCounts counts) {
        return fits(value.first()) ? value : null;
    }

    abstract boolean fits(byte first);
}
