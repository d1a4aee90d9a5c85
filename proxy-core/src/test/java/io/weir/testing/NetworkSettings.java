package io.weir.testing;

import static java.util.stream.Collectors.joining;

import io.weir.config.NetworkConfig;
import io.weir.config.load.TextConfig;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Settings of one network as the proxy reads them: lines of text over its defaults. Thread-safe. */
public final class NetworkSettings {

    private static final Map<String, NetworkConfig> READ = new ConcurrentHashMap<>();

    private NetworkSettings() {}

    /** Reads a network. It has the chain id 1 and one upstream, unless lines such as {@code verify = off} say otherwise. */
    public static NetworkConfig of(String name, String... lines) {
        boolean hasUpstreams = List.of(lines).stream().anyMatch(line -> line.startsWith("upstreams"));
        String network = "networks." + name + " {\n" + String.join("\n", lines) + "\n"
                + (hasUpstreams ? "" : upstreams(1)) + "\n}\n";
        return READ.computeIfAbsent(
                network,
                text -> TextConfig.load("defaults.network.chain-id = 1\n" + text)
                        .networks()
                        .get(name));
    }

    /** Returns the line of a number of upstreams, named {@code a}, {@code b} and so on. */
    public static String upstreams(int number) {
        return IntStream.range('a', 'a' + number)
                .mapToObj(id -> (char) id + ".url = \"http://127.0.0.1:1\"")
                .collect(joining(", ", "upstreams { ", " }"));
    }

    /** Returns the line that sets a constant, such as {@code verify = before-caching}. */
    public static String constant(String setting, Enum<?> value) {
        return setting + " = " + value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
