package io.weir.access;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API keys, found by the key text in a request. Immutable and thread-safe. */
public interface KeyRing {

    /**
     * Returns the caller with this key, or null. Takes the same time for every wrong key, because SHA-256 digests are
     * compared in constant time.
     *
     * @param key the key's text, decoded from the path
     */
    @Nullable
    Caller find(String key);

    /**
     * Returns the caller of requests without a key, or null if such requests are rejected.
     *
     * @param client the client's address; null if it is unknown
     */
    @Nullable
    Caller anonymous(@Nullable InetAddress client);

    /** Returns the rates that other proxies share. */
    default List<SharedRateGate> sharedRates() {
        return List.of();
    }
}
