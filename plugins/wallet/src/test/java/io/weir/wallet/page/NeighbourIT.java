package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.CREDENTIAL;
import static io.weir.wallet.approval.ApprovalFixture.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Decision;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser that also visits another server, on another port of the same host. */
final class NeighbourIT {

    private static final String MALLORY = "mallory's own";
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");

    @TempDir
    private static Path folder;

    private static ApprovalFixture fixture;
    private static ApprovalsPage page;
    private static PageServer server;
    private static Browser browser;

    private Neighbour neighbour;
    private CompletableFuture<Decision> asked;

    @BeforeAll
    static void start() throws IOException {
        Browser.require();
        fixture = ApprovalFixture.of(folder, "approvers.mallory.sha256 = " + ApprovalFixture.sha256(MALLORY));
        page = new ApprovalsPage(
                "wallet", fixture.queue(), fixture.settings(), Clock.systemUTC(), System::nanoTime, new SecureRandom());
        server = new PageServer(page);
        browser = Browser.start(server.url());
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
            server.close();
            fixture.close();
        }
    }

    @BeforeEach
    void ask() throws IOException {
        neighbour = new Neighbour();
        asked = fixture.ask(transfer("secretive", 1));
        browser.signIn(CREDENTIAL);
        assertThat(browser.text()).contains("secretive");
    }

    @AfterEach
    void refuse() {
        neighbour.close();
        server.spoil(text -> text);
        fixture.queue()
                .parked()
                .forEach(one -> fixture.queue().claim(one.id(), "alice").refuse());
        browser.forgetCookies();
    }

    /** A server that keeps what browsers send, and gives one page. Thread-safe. */
    private static final class Neighbour implements AutoCloseable {

        final List<String> visits = new CopyOnWriteArrayList<>();
        final List<String> cookies = new CopyOnWriteArrayList<>();
        final List<String> referers = new CopyOnWriteArrayList<>();
        private final HttpServer server;
        private volatile String body = "";
        private volatile List<String> setCookies = List.of();

        Neighbour() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", this::answer);
            server.start();
        }

        private void answer(HttpExchange exchange) throws IOException {
            visits.add(exchange.getRequestURI().getPath());
            cookies.addAll(exchange.getRequestHeaders().getOrDefault("Cookie", List.of()));
            referers.addAll(exchange.getRequestHeaders().getOrDefault("Referer", List.of()));
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.getResponseHeaders().put("Set-Cookie", setCookies);
            byte[] page = ("<!doctype html><title>A neighbour</title>" + body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    private static String get(String url, String cookie) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url)).header("cookie", cookie).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    /** Approves what waits, if a cookie is enough to see it. */
    private static void rob(String cookie) throws Exception {
        Matcher token =
                TOKEN.matcher(get(server.url() + "/request?id=" + fixture.only().id(), cookie));
        if (token.find()) {
            String form = "token=" + token.group(1) + "&decision=approve&id="
                    + fixture.only().id();
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/decision"))
                    .header("cookie", cookie)
                    .header("content-type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(form))
                    .build();
            HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
        }
    }

    @Test
    void aNeighbourGetsNoCookieWithWhichItCouldApprove() throws Exception {
        List<String> paths = List.of("/", "/plugins/wallet/approvals", "/plugins/wallet/approvals/request");
        neighbour.body =
                "<img src=\"/plugins/wallet/approvals/style.css\"><img src=\"/plugins/wallet/approvals/decision/x\">";
        for (String path : paths) {
            browser.visit(neighbour.url() + path);
        }
        assertThat(neighbour.visits).containsAll(paths).hasSizeGreaterThan(paths.size());
        for (String cookie : List.copyOf(neighbour.cookies)) {
            rob(cookie);
        }
        assertThat(asked).isNotDone();
        assertThat(neighbour.cookies).noneMatch(cookie -> cookie.contains("weir-approver"));
        assertThat(browser.open().text()).as("the session goes on").contains("secretive");
    }

    @Test
    void aNeighbourDoesNotHearThePathOfTheSession() {
        server.spoil(text -> text.replace("<main>", "<main><a id=\"away\" href=\"" + neighbour.url() + "\">x</a>"));
        browser.open().click("#away");
        assertThat(browser.title()).isEqualTo("A neighbour");
        assertThat(neighbour.referers)
                .as("its own page alone")
                .allMatch(referer -> referer.startsWith(neighbour.url()));
    }

    @Test
    void aNeighboursFormDecidesNothingEvenIfItKnowsThePathAndTheToken() {
        browser.lookAtFirst();
        String session = browser.address().replaceAll("/request.*", "");
        neighbour.body = "<form method=\"post\" action=\"" + session + "/decision\">"
                + "<input name=\"token\" value=\"" + browser.value("input[name=token]") + "\">"
                + "<input name=\"id\" value=\"" + fixture.only().id() + "\">"
                + "<button id=\"go\" name=\"decision\" value=\"approve\">x</button></form>";
        browser.visit(neighbour.url()).click("#go");
        assertThat(browser.text()).contains("You are not signed in");
        assertThat(asked).isNotDone();
    }

    @Test
    void aNeighboursFrameShowsNothing() {
        neighbour.body = "<iframe src=\"" + browser.address() + "\"></iframe>";
        assertThat(browser.visit(neighbour.url()).textInFrame())
                .doesNotContain("secretive")
                .doesNotContain("credential");
    }

    @Test
    void aNeighboursCookiesNeitherSignInNorOut() {
        String session = browser.address();
        String mallory = new PageClient(page).signedIn(MALLORY);
        String secret = mallory.split(";")[0];
        neighbour.setCookies = List.of(
                secret + "; Path=/",
                "weir-approver=tossed; Path=/plugins/wallet/approvals",
                secret + "; Path=/plugins/wallet/approvals/" + PageClient.session(mallory));
        neighbour.body = "<a id=\"go\" href=\"" + server.url() + "/" + PageClient.session(mallory) + "\">A bargain</a>";
        browser.visit(neighbour.url()).click("#go");
        assertThat(browser.text()).contains("Your credential").doesNotContain("mallory");
        assertThat(browser.visit(session).text()).contains("Signed in as approver.");
        assertThat(browser.visit(server.url()).text()).contains("Your credential");
        browser.forgetCookies();
        browser.visit(neighbour.url());
        assertThat(browser.signIn(CREDENTIAL).text()).as("signed in again").contains("Signed in as approver.");
    }
}
