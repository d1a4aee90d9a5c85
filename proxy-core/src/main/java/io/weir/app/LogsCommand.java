package io.weir.app;

import io.weir.config.NetworkConfig;
import io.weir.config.ServerConfig;
import io.weir.config.WeirConfig;
import io.weir.method.ChainCalls;
import io.weir.method.catalogue.MethodCatalogue;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code logs}: commands about lists of logs. */
@Command(name = "logs", description = "Prepares lists of logs.", subcommands = LogsCommand.Fill.class)
final class LogsCommand {

    /** {@code logs fill NETWORK}: has the running proxy prove all logs of blocks, which stores these blocks. */
    @Command(
            name = "fill",
            description =
                    "Has the running proxy prove and store blocks, so that later lists of their logs need no node."
                            + " The environment variable WEIR_KEY holds the API key.")
    static final class Fill implements Callable<Integer> {

        private static final Duration PATIENCE = Duration.ofMinutes(5);

        @Mixin
        private ConfigOptions config;

        @Parameters(paramLabel = "NETWORK", description = "The network's name.")
        private String network;

        @Option(names = "--from", required = true, paramLabel = "N", description = "The first block, decimal or 0x.")
        private String from = "";

        @Option(names = "--to", paramLabel = "M", description = "The last block (default: the finalized one).")
        private @Nullable String to;

        @Option(names = "--rate", paramLabel = "CALLS", description = "Average calls to nodes a second (default: 20).")
        private int rate = 20;

        @Option(names = "--url", paramLabel = "URL", description = "The proxy's address (default: as configured).")
        private @Nullable String url;

        @Override
        public Integer call() throws Exception {
            long first = number("--from", from);
            long named = to == null ? Long.MAX_VALUE : number("--to", to);
            if (rate < 1) {
                throw config.wrong("--rate: " + rate + " (expected: at least 1)");
            }
            LogsClient client = client();
            long last = client.finalized();
            // Only final blocks are stored.
            if (to != null && named > last) {
                throw config.wrong("--to: " + named + " (expected: at most the finalized block, " + last + ")");
            }
            last = Math.min(named, last);
            if (first > last) {
                throw config.wrong("--from: " + first + " (expected: at most the last block, " + last + ")");
            }
            int units = 2 * MethodCatalogue.ofName(ChainCalls.BLOCK_BY_NUMBER).cost()
                    + MethodCatalogue.ofName(ChainCalls.BLOCK_RECEIPTS).cost();
            LogFill fill = new LogFill(client::logs, rate, System::nanoTime, LockSupport::parkNanos, config.out());
            return fill.run(LogFill.Range.of(first, last), LogsClient.MAX_CALLS, units)
                    ? ExitCodes.OK
                    : ExitCodes.PROBLEM;
        }

        private long number(String option, String text) {
            if (!text.matches("0|[1-9]\\d{0,14}|0x[0-9a-fA-F]{1,12}")) {
                throw config.wrong(option + ": " + text + " (expected: the number of a block, decimal or 0x)");
            }
            return Long.decode(text);
        }

        private LogsClient client() throws Exception {
            String key = System.getenv("WEIR_KEY");
            if (key != null && !key.matches("[!-~]+")) {
                throw config.wrong("WEIR_KEY: not shown (expected: an API key)");
            }
            String proxy = url == null ? configured() : url.replaceFirst("/+$", "");
            try {
                return new LogsClient(URI.create(proxy + "/" + network), key, PATIENCE);
            } catch (IllegalArgumentException e) {
                throw config.wrong(
                        "--url: not shown (expected: http://HOST:PORT or https://HOST, and the name of a network)");
            }
        }

        /** Returns the address of the proxy that runs with the configuration. */
        private String configured() throws Exception {
            WeirConfig running = config.startup().config();
            List<String> names = running.networks().values().stream()
                    .filter(NetworkConfig::isOfEthereum)
                    .map(NetworkConfig::name)
                    .toList();
            if (!names.contains(network)) {
                throw config.wrong("NETWORK: " + network + " (expected: one of " + String.join(", ", names) + ")");
            }
            ServerConfig server = running.server();
            boolean everywhere =
                    server.host().equals("0.0.0.0") || server.host().equals("::");
            String host = everywhere ? "127.0.0.1" : server.host();
            return server.tls().url(host, server.port());
        }
    }
}
