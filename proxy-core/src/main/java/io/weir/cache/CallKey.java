package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Key of calls that have the same answer. Keys are compared completely. Immutable. */
public final class CallKey {

    private final String network;
    private final String method;
    // The fields of a RawJson, for the same reason as in a CachedResult.
    private final byte[] params;
    private final int offset;
    private final int length;
    /** Computed once, because each call uses it several times. */
    private final int hash;

    /**
     * @param network by name
     * @param params in normal form
     */
    public CallKey(String network, String method, RawJson params) {
        this(network, method, params, 31 * (31 * network.hashCode() + method.hashCode()) + params.hashCode());
    }

    private CallKey(String network, String method, RawJson params, int hash) {
        this.network = network;
        this.method = method;
        this.params = params.array();
        this.offset = params.offset();
        this.length = params.length();
        this.hash = hash;
    }

    public String network() {
        return network;
    }

    public String method() {
        return method;
    }

    /** Returns the parameters in normal form. */
    public RawJson params() {
        return RawJson.slice(params, offset, length);
    }

    public int paramsLength() {
        return length;
    }

    /** Returns whether this is the key of these very bytes among a network's. Does not read the content. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isOf(String name, RawJson json) {
        return params == json.array() && offset == json.offset() && length == json.length() && network.equals(name);
    }

    /** Returns an equal key that retains no larger array. */
    public CallKey compact() {
        return new CallKey(network, method, params().compact(), hash);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CallKey that
                && hash == that.hash
                && Arrays.equals(params, offset, offset + length, that.params, that.offset, that.offset + that.length)
                && method.equals(that.method)
                && network.equals(that.network);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return network + ": " + method + params();
    }
}
