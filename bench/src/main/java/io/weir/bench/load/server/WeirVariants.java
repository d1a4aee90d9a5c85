package io.weir.bench.load.server;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How this proxy is run: as usual, and otherwise to compare it with itself. Immutable.
 *
 * @param otherJar the build of {@link ServerName#WEIR_OTHER}; null for the checkout's own
 * @param flags of the JVMs of {@link ServerName#WEIR} and {@link ServerName#WEIR_UNBATCHED}
 * @param otherFlags of {@link ServerName#WEIR_OTHER}
 * @param otherSettings lines of configuration that {@link ServerName#WEIR_OTHER} has beside the usual
 */
public record WeirVariants(
        List<String> flags,
        List<String> otherFlags,
        List<String> otherSettings,
        @Nullable Path otherJar) {

    /** As usual, and nothing else. */
    public static final WeirVariants USUAL = new WeirVariants(List.of(), List.of(), List.of(), null);

    /** Whether there is another way. */
    public boolean isCompared() {
        return !(otherFlags.isEmpty() && otherSettings.isEmpty() && otherJar == null);
    }

    /** The same with the usual flags. */
    public WeirVariants withFlags(List<String> usual) {
        return new WeirVariants(usual, otherFlags, otherSettings, otherJar);
    }

    /** The same with other flags for the other way. */
    public WeirVariants withOtherFlags(List<String> other) {
        return new WeirVariants(flags, other, otherSettings, otherJar);
    }

    /** The same with lines of configuration for the other way. */
    public WeirVariants withOtherSettings(List<String> lines) {
        return new WeirVariants(flags, otherFlags, lines, otherJar);
    }

    /** The same with another build for the other way, such as that of an earlier commit. */
    public WeirVariants withOtherJar(Path jar) {
        return new WeirVariants(flags, otherFlags, otherSettings, jar);
    }

    /**
     * Returns the build that one of the proxies runs.
     *
     * @param own the checkout's
     */
    Path jar(ServerName name, Path own) {
        return name == ServerName.WEIR_OTHER && otherJar != null ? otherJar : own;
    }

    /** The flags of one of the proxies. */
    List<String> flags(ServerName name) {
        return name == ServerName.WEIR_OTHER ? otherFlags : flags;
    }

    /** Returns the settings that one of the proxies has beside the usual. */
    List<String> settings(ServerName name) {
        return name == ServerName.WEIR_OTHER ? otherSettings : List.of();
    }

    @Override
    public String toString() {
        return flags
                + (isCompared()
                        ? "; otherwise: " + otherFlags + ' ' + otherSettings
                                + (otherJar == null ? "" : " another build")
                        : "");
    }
}
