package io.weir.bench.load.server;

import java.util.List;

/**
 * How this proxy is run: as usual, and otherwise to compare it with itself. Immutable.
 *
 * @param flags of the JVMs of {@link ServerName#WEIR} and {@link ServerName#WEIR_UNBATCHED}
 * @param otherFlags of {@link ServerName#WEIR_OTHER}
 * @param otherSettings lines of configuration that {@link ServerName#WEIR_OTHER} has beside the usual
 */
public record WeirVariants(List<String> flags, List<String> otherFlags, List<String> otherSettings) {

    /** As usual, and nothing else. */
    public static final WeirVariants USUAL = new WeirVariants(List.of(), List.of(), List.of());

    /** Whether there is another way. */
    public boolean isCompared() {
        return !(otherFlags.isEmpty() && otherSettings.isEmpty());
    }

    /** The same with the usual flags. */
    public WeirVariants withFlags(List<String> usual) {
        return new WeirVariants(usual, otherFlags, otherSettings);
    }

    /** The same with other flags for the other way. */
    public WeirVariants withOtherFlags(List<String> other) {
        return new WeirVariants(flags, other, otherSettings);
    }

    /** The same with lines of configuration for the other way. */
    public WeirVariants withOtherSettings(List<String> lines) {
        return new WeirVariants(flags, otherFlags, lines);
    }

    /** The flags of one of the proxies. */
    List<String> flags(ServerName name) {
        return name == ServerName.WEIR_OTHER ? otherFlags : flags;
    }

    /** What one of the proxies has in its configuration beside the usual. */
    List<String> settings(ServerName name) {
        return name == ServerName.WEIR_OTHER ? otherSettings : List.of();
    }

    @Override
    public String toString() {
        return flags + (isCompared() ? "; otherwise: " + otherFlags + ' ' + otherSettings : "");
    }
}
