package io.weir.bench.load.server;

import java.util.List;

/**
 * The flags of the JVMs that this proxy runs in. Immutable.
 *
 * @param usual of {@link ServerName#WEIR} and {@link ServerName#WEIR_UNBATCHED}
 * @param other of {@link ServerName#WEIR_OTHER}; empty where that is not compared
 */
public record WeirFlags(List<String> usual, List<String> other) {

    /** None. */
    public static final WeirFlags NONE = new WeirFlags(List.of(), List.of());

    /** Those of one of the proxies. */
    List<String> of(ServerName name) {
        return name == ServerName.WEIR_OTHER ? other : usual;
    }

    @Override
    public String toString() {
        return usual + (other.isEmpty() ? "" : ", the other's: " + other);
    }
}
