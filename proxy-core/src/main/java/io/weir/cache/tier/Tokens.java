package io.weir.cache.tier;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Generator of unique tokens for name spaces. */
final class Tokens {

    private Tokens() {}

    static String next() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** Returns the token in a text; null if it is none. */
    static @Nullable String read(String text) {
        return text.matches("[0-9a-f]{32}") ? text : null;
    }
}
