package io.weir.access;

import org.jspecify.annotations.Nullable;

/** The API keys, found by what a request shows. Immutable and thread-safe. */
public interface KeyRing {

    /**
     * The caller whose key this is, or null. Takes the same time for every wrong key: texts are compared by their SHA-256, in
     * constant time.
     *
     * @param key the key's text, decoded from the path
     */
    @Nullable
    Caller find(String key);

    /** The caller of requests without a key, or null where those are refused. */
    @Nullable
    Caller anonymous();
}
