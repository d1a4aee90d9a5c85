package io.weir.cache.tier;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Names of name spaces: no two are alike. */
final class Tokens {

    private Tokens() {}

    static String next() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** The token that a text is; null where it is none. */
    static @Nullable String read(String text) {
        return text.matches("[0-9a-f]{32}") ? text : null;
    }
}
