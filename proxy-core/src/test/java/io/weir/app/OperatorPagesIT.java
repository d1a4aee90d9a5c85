package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.MarkdownBlocks;
import io.weir.testing.PageCommands;
import io.weir.testing.WeirProcess;
import io.weir.tls.Fingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Does what the operators' pages say: runs their commands, and compares the values of labels with those that a proxy exports. */
final class OperatorPagesIT {

    private static final Path ROOT = Checkout.find().root();
    private static final Path GUIDE = ROOT.resolve("conf/README.md");
    private static final Path OPERATIONS = ROOT.resolve("conf/operations.md");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The SHA-256 of {@code operations}, the token of the page's example. */
    private static final String TOKEN = "74de07c4e919534b1b460e3465bb216ce0cc2bd458e42abaf0f22448da08d063";

    private static final Pattern SYMPTOM = Pattern.compile("`((?:curl|java) [^`]+)`");
    /** In commands that other tests run: ReadmeIT those in front of a node, LogFillIT logs fill, UpgradeIT those of an installed proxy. */
    private static final Pattern OF_OTHER_TESTS = Pattern.compile("--node |logs fill |/opt/|/var/lib/");

    private static final Pattern HEADING = Pattern.compile("#### ((?:`weir_\\w+`(?:, )?)+): `(\\w+)`");
    private static final Pattern SAMPLE = Pattern.compile("(weir_\\w+)\\{(.*)} .*");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** Labels whose values are exported from their first event on. */
    private static final Set<String> FROM_THE_FIRST_ON = Set.of(
            "weir_key_refusals_total reason",
            "weir_http2_errors_total code",
            "weir_tls_handshakes_total outcome",
            "weir_trace_spans_total outcome",
            "weir_sharing_reports_total outcome",
            "weir_upstream_sent_total cause");

    @TempDir
    private static Path folder;

    private static final List<WeirProcess> OVER_TLS = new ArrayList<>();

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
        OVER_TLS.forEach(WeirProcess::close);
        weir.close();
    }

    @ParameterizedTest
    @CsvSource({"conf/README.md, 3", "conf/operations.md, 2", "plugins/devnet/README.md, 1"})
    void everyCommandOfAPageEndsWell(String page, int least) throws IOException {
        PageCommands commands = new PageCommands(
                page, command -> !OF_OTHER_TESTS.matcher(command).find());
        assertThat(commands.size()).isGreaterThanOrEqualTo(least);
        commands.run(folder, command -> {
            WeirProcess called = command.contains("https://") ? overTls() : weir;
            return at(called, command);
        });
    }

    private static String at(WeirProcess called, String command) {
        return command.replaceAll("(127\\.0\\.0\\.1|localhost):8545", "$1:" + called.port())
                .replace("127.0.0.1:9545", "127.0.0.1:" + called.adminPort());
    }

    @Test
    void theCommandOfEverySymptomShowsSomething() throws IOException {
        // Most counters of calls begin with the first one.
        new JsonRpcClient(weir.url()).result("eth_chainId");
        String symptoms = Files.readString(GUIDE).replaceFirst("(?s).*\n## When something is wrong\n", "");
        List<String> commands = SYMPTOM.matcher(symptoms)
                .results()
                .map(result -> result.group(1))
                .toList();
        assertThat(commands).hasSizeGreaterThanOrEqualTo(10);
        for (String command : commands) {
            assertThat(output(ROOT, 0, at(weir, command).replace("my.conf", "conf/weir.conf")))
                    .as(command)
                    .isNotEmpty();
        }
    }

    @Test
    void checkPrintsWhatTheGuideShows() throws IOException {
        List<String> shown = MarkdownBlocks.of(GUIDE).in("text");
        assertThat(shown).hasSize(2);
        assertThat(checked(1, """
                networks.mainnet {
                  preset = mainnet
                  upstreams.own { url = "http://10.0.0.11:8545", teir = 1 }
                }
                server.port = "abc"
                """)).isEqualTo(shown.get(0));
        assertThat(checked(0, """
                networks.mainnet {
                  preset = mainnet
                  upstreams.own { url = "http://10.0.0.11:8545" }
                }
                server.host = "0.0.0.0"
                access.anonymous = true
                cache.memory = 256 MiB
                plugins.path = []
                """)).isEqualTo(shown.get(1));
    }

    private static String checked(int exitCode, String configuration) throws IOException {
        Files.writeString(folder.resolve("my.conf"), configuration);
        String jar = Checkout.find().jar().toString();
        return String.join("\n", output(folder, exitCode, "java -jar " + jar + " check --config my.conf"));
    }

    private static List<String> output(Path workingFolder, int exitCode, String command) {
        List<String> bash = List.of("bash", "-euo", "pipefail", "-c", command);
        try (ChildProcess run = ChildProcess.start(command, workingFolder, Map.of(), bash)) {
            assertThat(run.awaitExit(PATIENCE)).as(command + run.told()).isEqualTo(exitCode);
            return run.out();
        }
    }

    /** Starts a proxy with the certificates that commands of the page have made. */
    private static WeirProcess overTls() {
        Path made = newest("rpc.pem");
        String pair = "{ chain = \"%s\", key = \"%s\" }".formatted(made, made.resolveSibling("rpc.key"));
        WeirProcess started =
                WeirProcess.start("""
                include file("%s")
                server { port = 0, tls.certificates.rpc %s }
                admin { port = 0, tls.certificates.rpc %s, client-certificates = [%s] }
                """.formatted(ROOT.resolve("conf/weir.conf"), pair, pair, operators(made)));
        OVER_TLS.add(started);
        return started;
    }

    private static Path newest(String name) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String operators(Path made) {
        Path operator = made.resolveSibling("operator.pem");
        if (!Files.exists(operator)) {
            return "";
        }
        try (InputStream pem = Files.newInputStream(operator)) {
            Certificate read = CertificateFactory.getInstance("X.509").generateCertificate(pem);
            return '"' + Fingerprint.of((X509Certificate) read) + '"';
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (CertificateException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theValuesOfLabelsAreThoseThatAreExported() throws IOException {
        // A method is counted from its first call on.
        new JsonRpcClient(weir.url()).result("eth_chainId");
        Map<String, Set<String>> described = described();
        Map<String, Set<String>> exported = exported(described.keySet());
        assertThat(exported).containsKey("weir_calls_total outcome");
        FROM_THE_FIRST_ON.forEach(key -> {
            assertThat(described.remove(key)).as(key).containsAll(exported.getOrDefault(key, Set.of()));
            exported.remove(key);
        });
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
