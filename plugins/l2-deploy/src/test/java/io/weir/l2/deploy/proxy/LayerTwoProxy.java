package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The built proxy with this plugin alone, and networks of the kind {@code l2}. Confined to a thread. */
final class LayerTwoProxy implements AutoCloseable {
    private static final String MODULE = "plugins/l2-deploy";

    private final WeirProcess process;

    private LayerTwoProxy(WeirProcess process) {
        this.process = process;
    }

    /** Begins a configuration. */
    static Configuration in(Path scratch) {
        return new Configuration(scratch);
    }

    /** A client of one network. */
    JsonRpcClient client(String network) {
        return new JsonRpcClient(url(network));
    }

    /** The address of one network. */
    String url(String network) {
        return "http://127.0.0.1:" + process.port() + "/" + network + "/v3/demo";
    }

    WeirProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }

    /** What the proxy is started with. Confined to a thread. */
    static final class Configuration {
        private final List<String> lines = new ArrayList<>();
        private final Path link;

        private Configuration(Path scratch) {
            link = scratch.resolve("plugins/l2-deploy");
            linkPlugin();
            // No test depends on how fast the machine is: those that need a timeout set one.
            lines.add("server { port = 0, call-timeout = 50 s }");
            lines.add("admin.port = 0");
            lines.add("plugins { path = [\"" + link.getParent() + "\"], data = \"" + scratch + "/data\" }");
            lines.add("defaults.network.health.interval = 60 s");
            lines.add("defaults.upstream.timeout = 50 s");
            lines.add("access.keys.demo.sha256 = 2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea");
        }

        /** A folder with this module's built plugin and no other. */
        private void linkPlugin() {
            Path built = Checkout.find().root().resolve(MODULE).resolve("target/plugin");
            assertThat(built.resolve("plugin.properties"))
                    .as("the built plugin (`mvn package` makes it)")
                    .isRegularFile();
            try {
                Files.createDirectories(link.getParent());
                Files.createSymbolicLink(link, built);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Adds a network with nodes; the first node is preferred, and the first network the default one. */
        Configuration network(String name, String... urls) {
            if (lines.stream().noneMatch(line -> line.startsWith("default-network"))) {
                lines.add("default-network = " + name);
            }
            lines.add("networks." + name + " { kind = l2, chain-id = SN_SEPOLIA }");
            for (int i = 0; i < urls.length; i++) {
                lines.add("networks." + name + ".upstreams.n" + i + " { url = \"" + urls[i] + "\", tier = " + i + " }");
            }
            return this;
        }

        Configuration setting(String line) {
            lines.add(line);
            return this;
        }

        String text() {
            return String.join("\n", lines) + "\n";
        }

        LayerTwoProxy start() {
            WeirProcess process = WeirProcess.start(text());
            try {
                // It runs from copies. Whoever removes the folder must not follow a link out of it.
                Files.delete(link);
            } catch (IOException e) {
                process.close();
                throw new UncheckedIOException(e);
            }
            return new LayerTwoProxy(process);
        }
    }
}
