package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.PageCommands;
import io.weir.testing.WeirProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Does what the operators' pages say: runs their commands, and compares the values of labels with those that a proxy exports. */
final class OperatorPagesIT {

    private static final Path ROOT = Checkout.find().root();
    private static final Path OPERATIONS = ROOT.resolve("conf/operations.md");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The SHA-256 of {@code operations}, the token of the page's example. */
    private static final String TOKEN = "74de07c4e919534b1b460e3465bb216ce0cc2bd458e42abaf0f22448da08d063";

    private static final Pattern HEADING = Pattern.compile("#### ((?:`weir_\\w+`(?:, )?)+): `(\\w+)`");
    private static final Pattern SAMPLE = Pattern.compile("(weir_\\w+)\\{(.*)} .*");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    @TempDir
    private static Path folder;

    private static WeirProcess weir;

    @BeforeAll
    static void start() {
        weir = WeirProcess.start("""
                include file("%s")
                server.port = 0
                admin { port = 0, token-sha256 = "%s" }
                networks.devnet.upstreams.remote { url = "http://127.0.0.1:1", ws-url = "ws://127.0.0.1:1", prefer = ws }
                cache.disk.path = "%s"
                """.formatted(ROOT.resolve("conf/weir.conf"), TOKEN, folder.resolve("results")));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(weir.admin().readyStatus()).isEqualTo(200);
            assertThat(weir.admin().metric("weir_cache_tier_up", "tier=\"disk\""))
                    .isEqualTo(1);
        });
    }

    @AfterAll
    static void stop() {
        weir.close();
    }

    @ParameterizedTest
    @CsvSource({"conf/README.md, 2", "conf/operations.md, 2", "plugins/devnet/README.md, 1"})
    void everyCommandOfAPageEndsWell(String page, int least) throws IOException {
        PageCommands commands = new PageCommands(page);
        assertThat(commands.size()).isGreaterThanOrEqualTo(least);
        commands.run(
                folder,
                command -> command.replace("127.0.0.1:8545", "127.0.0.1:" + weir.port())
                        .replace("127.0.0.1:9545", "127.0.0.1:" + weir.adminPort()));
    }

    @Test
    void theValuesOfLabelsAreThoseThatAreExported() throws IOException {
        // A method is counted from its first call on.
        new JsonRpcClient(weir.url()).result("eth_chainId");
        Map<String, Set<String>> described = described();
        Map<String, Set<String>> exported = exported(described.keySet());
        assertThat(exported).containsKey("weir_calls_total outcome");
        assertThat(exported).isEqualTo(described);
    }

    private static Map<String, Set<String>> described() throws IOException {
        Map<String, Set<String>> values = new TreeMap<>();
        List<String> current = new ArrayList<>();
        for (String line : Files.readAllLines(OPERATIONS)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                current.clear();
                for (String meter : heading.group(1).split(", ")) {
                    current.add(meter.replace("`", "") + " " + heading.group(2));
                }
            } else if (line.startsWith("#")) {
                current.clear();
            } else if (line.startsWith("| `")) {
                String value = line.substring(3, line.indexOf('`', 3));
                current.forEach(key ->
                        values.computeIfAbsent(key, any -> new TreeSet<>()).add(value));
            }
        }
        return values;
    }

    private static Map<String, Set<String>> exported(Set<String> wanted) {
        Map<String, Set<String>> values = new TreeMap<>();
        for (String line : weir.admin().metrics().split("\n")) {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                for (MatchResult label :
                        LABEL.matcher(sample.group(2)).results().toList()) {
                    String key = sample.group(1) + " " + label.group(1);
                    if (wanted.contains(key)) {
                        values.computeIfAbsent(key, any -> new TreeSet<>()).add(label.group(2));
                    }
                }
            }
        }
        return values;
    }
}
