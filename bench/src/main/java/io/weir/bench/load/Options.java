package io.weir.bench.load;

import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.server.WeirVariants;
import io.weir.bench.load.work.Pace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of a run. Immutable.
 *
 * @param workloads their ids; empty for all
 * @param variants of this proxy
 */
public record Options(
        boolean isShort,
        Pace pace,
        Set<String> workloads,
        Set<ServerName> servers,
        int connections,
        boolean pinned,
        WeirVariants variants,
        Path checkout,
        Path out) {

    /** In a short run: what others show as well is left out. */
    private static final Set<String> WORKLOADS_OF_SHORT = Set.of(
            "small-hit",
            "block-4k",
            "batch-100",
            "small-miss",
            "mixed",
            "identical",
            "large",
            "faulty",
            "websocket",
            "start",
            "idle");

    private static final Set<String> WORKLOADS_OF_GOALS = Set.of("small-hit", "small-miss", "large", "start");

    private static final Set<ServerName> SERVERS_OF_GOALS = Set.of(
            ServerName.WEIR,
            ServerName.WEIR_UNBATCHED,
            ServerName.WEIR_INSTALLED,
            ServerName.NGINX_PASS,
            ServerName.NGINX_CACHE,
            ServerName.ERPC,
            ServerName.BARE,
            ServerName.NETTY_PASS,
            ServerName.DIRECT);

    private static final int CONNECTIONS = 64;
    private static final int CONNECTIONS_OF_SHORT = 16;

    /** A full run, or a short one, of everything, in the checkout that holds a folder or the folders above it. */
    public static Options of(boolean isShort, Path folder) {
        Path checkout = checkout(folder.toAbsolutePath());
        return new Options(
                isShort,
                isShort ? Pace.SHORT : Pace.FULL,
                isShort ? WORKLOADS_OF_SHORT : Set.of(),
                EnumSet.complementOf(EnumSet.of(ServerName.WEIR_OTHER)),
                isShort ? CONNECTIONS_OF_SHORT : CONNECTIONS,
                !isShort,
                WeirVariants.USUAL,
                checkout,
                checkout.resolve(isShort ? "bench/target/results-short" : "bench/results"));
    }

    private static Path checkout(Path folder) {
        for (Path at = folder; at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve("conf/weir.conf"))) {
                return at;
            }
        }
        throw new IllegalArgumentException("folder: " + folder + " (expected: one in a checkout, with conf/weir.conf)");
    }

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException where it is wrong
     */
    public static Options parse(List<String> args) {
        Options options = of(args.contains("--short"), Path.of(""));
        for (int i = 0; i < args.size(); i++) {
            String name = args.get(i);
            switch (name) {
                case "--short", "--full" -> {}
                case "--goals" -> options = options.ofGoals();
                case "--unpinned" -> options = options.unpinned();
                default -> {
                    i++;
                    if (i == args.size()) {
                        throw new IllegalArgumentException(name + ": nothing (expected: a value)");
                    }
                    options = options.with(name, args.get(i));
                }
            }
        }
        return options.variants().isCompared() ? options.withOther() : options;
    }

    /** The rows that the goals are about, with a folder of their own. */
    private Options ofGoals() {
        Path folder = checkout.resolve("bench/results/goals");
        return new Options(
                false,
                Pace.GOALS,
                WORKLOADS_OF_GOALS,
                SERVERS_OF_GOALS,
                CONNECTIONS,
                pinned,
                variants,
                checkout,
                folder);
    }

    private Options withOther() {
        Set<ServerName> all = EnumSet.copyOf(servers);
        all.add(ServerName.WEIR_OTHER);
        return withVariants(variants, all);
    }

    private Options unpinned() {
        return new Options(isShort, pace, workloads, servers, connections, false, variants, checkout, out);
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--turns" -> withPace(pace.withTurns(number(name, value)));
            case "--warm" -> withPace(pace.withWarm(Duration.ofSeconds(number(name, value))));
            case "--seconds" -> withPace(pace.withTime(Duration.ofSeconds(number(name, value))));
            case "--workloads" ->
                new Options(isShort, pace, words(value), servers, connections, pinned, variants, checkout, out);
            case "--servers" ->
                new Options(isShort, pace, workloads, servers(value), connections, pinned, variants, checkout, out);
            case "--connections" ->
                new Options(isShort, pace, workloads, servers, number(name, value), pinned, variants, checkout, out);
            case "--weir-java" -> withVariants(variants.withFlags(flags(value)), servers);
            case "--other-java" -> withVariants(variants.withOtherFlags(flags(value)), servers);
            case "--other-settings" -> withVariants(variants.withOtherSettings(List.of(value)), servers);
            case "--other-jar" ->
                withVariants(variants.withOtherJar(Path.of(value).toAbsolutePath()), servers);
            case "--out" ->
                new Options(isShort, pace, workloads, servers, connections, pinned, variants, checkout, Path.of(value));
            default -> throw new IllegalArgumentException(name + ": unknown (expected: an option of bench/README.md)");
        };
    }

    private static List<String> flags(String value) {
        return List.of(value.split(" +"));
    }

    private Options withVariants(WeirVariants other, Set<ServerName> compared) {
        return new Options(isShort, pace, workloads, compared, connections, pinned, other, checkout, out);
    }

    private Options withPace(Pace other) {
        return new Options(isShort, other, workloads, servers, connections, pinned, variants, checkout, out);
    }

    private static int number(String name, String value) {
        if (!value.matches("[1-9]\\d{0,4}")) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: a whole number from 1 to 99999)");
        }
        return Integer.parseInt(value);
    }

    private static Set<String> words(String value) {
        return Arrays.stream(value.split(",")).collect(Collectors.toSet());
    }

    private static Set<ServerName> servers(String value) {
        Set<ServerName> servers = EnumSet.noneOf(ServerName.class);
        for (String word : value.split(",", -1)) {
            servers.add(Arrays.stream(ServerName.values())
                    .filter(server -> server.id().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("--servers: " + word + " (expected: some of "
                            + Arrays.stream(ServerName.values())
                                    .map(ServerName::id)
                                    .collect(Collectors.joining(", "))
                            + ")")));
        }
        return servers;
    }
}
