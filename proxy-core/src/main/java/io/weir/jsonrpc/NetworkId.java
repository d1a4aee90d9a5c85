package io.weir.jsonrpc;

/** The name of a network in the configuration, such as {@code devnet}. Immutable. */
public record NetworkId(String name) {
    @Override
    public String toString() {
        return name;
    }
}
