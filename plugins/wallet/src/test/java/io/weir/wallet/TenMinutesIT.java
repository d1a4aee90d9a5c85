package io.weir.wallet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.DevelopmentNode;
import io.weir.testing.Machine;
import io.weir.testing.MarkdownBlocks;
import io.weir.testing.WeirProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of the plugin's page from nothing to a working wallet, with the example's configuration and a real node. */
final class TenMinutesIT {
    private static final Path ROOT = Checkout.find().root();
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");
    private static final Pattern REQUEST = Pattern.compile("/request\\?id=([^\"]+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<String> blocks =
            MarkdownBlocks.of(ROOT.resolve("plugins/wallet/README.md")).in("bash");

    @TempDir
    private Path folder;

    @Test
    void everyMethodAnswersAsThePageSays() throws Exception {
        Machine.assumeProgram("curl", "apt-get install curl");
        assertThat(blocks).hasSize(4);
        String functions = blocks.get(2).substring(0, blocks.get(2).indexOf("\n\n") + 2);
        try (DevelopmentNode node = DevelopmentNode.start(folder)) {
            Path configuration = configuration(node.url());
            importSeed(configuration);
            try (WeirProcess proxy = WeirProcess.start(Files.readString(configuration))) {
                await().atMost(PATIENCE).until(() -> proxy.admin().readyStatus() == 200);
                List<String> answers = run(here(blocks.get(2), proxy, node));
                assertThat(answers).hasSize(14).allMatch(answer -> answer.contains("\"result\":"), "a result");
                assertThat(answers.get(13)).contains("\"result\":true");
                String[] last = blocks.get(3).split("\n");
                assertThat(run(here(functions + last[0], proxy, node)).get(0)).contains("Upgrade is not required");
                Thread approver = new Thread(() -> approve(proxy.adminPort()));
                approver.start();
                assertThat(run(here(functions + last[1], proxy, node)).get(0)).contains("\"result\":null");
                approver.join(PATIENCE.toMillis());
            }
        }
    }

    private Path configuration(String node) throws IOException {
        String text =
                Files.readString(ROOT.resolve("conf/examples/wallet.conf")).replace("http://127.0.0.1:5050/rpc", node);
        Path passphrase = Files.writeString(folder.resolve("passphrase"), "a passphrase of your own\n");
        Files.setPosixFilePermissions(passphrase, PosixFilePermissions.fromString("rw-------"));
        return Files.writeString(folder.resolve("wallet.conf"), text + """
                        server.port = 0
                        admin.port = 0
                        plugins { path = ["%s/plugins"], data = "%s/data" }
                        plugins.wallet.seeds.passphrase-file = "%s"
                        """.formatted(ROOT, folder, passphrase));
    }

    private void importSeed(Path configuration) throws IOException {
        String commands = blocks.get(1);
        String seed = commands.substring(0, commands.lastIndexOf('\n'))
                .replace("proxy-core/", ROOT + "/proxy-core/")
                .replace("conf/examples/wallet.conf", configuration.toString());
        assertThat(run(seed)).isNotEmpty();
    }

    private static String here(String commands, WeirProcess proxy, DevelopmentNode node) {
        return commands.replace("http://127.0.0.1:8545/", "http://127.0.0.1:" + proxy.port() + "/")
                .replace("http://127.0.0.1:5050/rpc", node.url());
    }

    private List<String> run(String commands) {
        try (ChildProcess bash = ChildProcess.start(
                "the page's commands", folder, Map.of(), List.of("bash", "-euo", "pipefail", "-c", commands))) {
            assertThat(bash.awaitExit(PATIENCE)).as(bash.told()).isZero();
            return bash.out().stream().filter(line -> !line.isBlank()).toList();
        }
    }

    /** Signs in with the credential of the example, waits for a request and approves it. */
    private static void approve(int adminPort) {
        String page = "http://127.0.0.1:" + adminPort + "/plugins/wallet/approvals";
        HttpResponse<String> signedIn = post(page + "/sign-in", page, "", "credential=approve");
        String cookie =
                signedIn.headers().firstValue("set-cookie").orElseThrow().split(";")[0];
        String list = URI.create(page)
                .resolve(signedIn.headers().firstValue("location").orElseThrow())
                .toString();
        Matcher request = await().atMost(PATIENCE).until(() -> REQUEST.matcher(get(list, cookie)), Matcher::find);
        Matcher token = TOKEN.matcher(get(list + "/request?id=" + request.group(1), cookie));
        assertThat(token.find()).isTrue();
        String form =
                "token=" + URLEncoder.encode(token.group(1), UTF_8) + "&id=" + request.group(1) + "&decision=approve";
        assertThat(post(list + "/decision", page, cookie, form).statusCode()).isLessThan(400);
    }

    private static String get(String url, String cookie) {
        return send(HttpRequest.newBuilder(URI.create(url))
                        .header("cookie", cookie)
                        .build())
                .body();
    }

    private static HttpResponse<String> post(String url, String page, String cookie, String form) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .header("content-type", "application/x-www-form-urlencoded")
                .header("origin", page.substring(0, page.indexOf("/plugins")))
                .POST(HttpRequest.BodyPublishers.ofString(form));
        return send((cookie.isEmpty() ? request : request.header("cookie", cookie)).build());
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
