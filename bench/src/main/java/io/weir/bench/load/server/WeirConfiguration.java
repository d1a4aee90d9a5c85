package io.weir.bench.load.server;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The configuration of this proxy for the measurements: one network, its nodes, a key without a rate; else as by default. */
final class WeirConfiguration {

    /** The API key in the path. */
    static final String KEY = "demo";

    @SuppressWarnings("InlineFormatString") // A file of its own, which reads better alone.
    private static final String TEXT = """
            # One event loop: the server is held to one processor, and the others have one worker too.
            server { port = 0, threads = 1 }
            admin { port = 0 }
            plugins.path = []
            default-network = bench
            networks.bench {
              chain-id = 1
              upstreams {
            %s
              }
            }
            # The SHA-256 of "demo". Without a rate.
            access.keys.bench.sha256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea"
            """;

    private WeirConfiguration() {}

    static String text(List<Integer> nodePorts, boolean batching, List<String> more) {
        String nodes = IntStream.range(0, nodePorts.size())
                .mapToObj(i -> "    node-%d { url = \"http://127.0.0.1:%d\", batch.size = %d }"
                        .formatted(i, nodePorts.get(i), batching ? 100 : 1))
                .collect(Collectors.joining("\n"));
        return TEXT.formatted(nodes) + String.join("\n", more);
    }
}
