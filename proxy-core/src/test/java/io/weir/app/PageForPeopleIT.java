package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.Chromium;
import io.weir.testing.ConfigurationText;
import io.weir.testing.FreePorts;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.EchoNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page of the admin listener in a real Chromium: at one, nine and fifty nodes, well and in trouble. */
final class PageForPeopleIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String TOKEN = "demo";
    private static final String TOKEN_SHA256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";
    private static final int NODES = 9;

    private static final String CELLS = """
            return Object.fromEntries([...document.querySelectorAll('#nodes tbody tr')].map(row => [row.dataset.node,
              Object.fromEntries([...row.cells].map(cell => [cell.dataset.label ?? 'node', cell.textContent]))]));""";

    private static EchoNode well;
    private static EchoNode other;
    private static LocalProxy weir;
    private static ChromeDriver browser;

    /** Nine nodes: one is down, one is of another chain, and one has spent its units; the others are well. */
    @BeforeAll
    static void start() throws IOException {
        Chromium.require();
        well = EchoNode.start("well", 1);
        other = EchoNode.start("other", 2);
        ConfigurationText text = ConfigurationText.of("one", "1")
                .upstream("first", well.url() + "/first")
                .networkSetting("upstreams.first.budget { per-day = 1000000, costs = alchemy }")
                .upstream("down", "http://127.0.0.1:" + FreePorts.next())
                .upstream("foreign", other.url());
        for (int i = 4; i <= NODES; i++) {
            text = text.upstream("node-" + i, well.url() + "/" + i);
        }
        text = text.networkSetting("upstreams.node-4.budget.per-day = 1");
        weir = LocalProxy.start(
                text.setting("admin.token-sha256 = \"" + TOKEN_SHA256 + "\"").text());
        browser = Chromium.start();
        await().atMost(PATIENCE)
                .until(() -> weir.admin().health("one", "first").equals("healthy")
                        && weir.admin().health("one", "down").equals("down")
                        && weir.admin().health("one", "foreign").equals("wrong-chain"));
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (weir != null) {
            weir.close();
        }
        if (well != null) {
            well.close();
            other.close();
        }
    }

    @BeforeEach
    void open() {
        Chromium.resize(browser, 1400, 900);
        browser.get("http://127.0.0.1:" + weir.adminPort() + "/");
    }

    private static List<WebElement> all(String selector) {
        return browser.findElements(By.cssSelector(selector));
    }

    private static WebElement one(String selector) {
        return browser.findElement(By.cssSelector(selector));
    }

    private static Map<?, ?> cells(String node) {
        return (Map<?, ?>) ((Map<?, ?>) browser.executeScript(CELLS)).get(node);
    }

    /** Returns the nodes in the order of their rows, read at once: the page replaces the rows when it refreshes itself. */
    private static List<String> order() {
        List<?> ids = (List<?>) browser.executeScript(
                "return [...document.querySelectorAll('#nodes tbody th')].map(cell => cell.innerText)");
        return ids.stream().map(String.class::cast).toList();
    }

    private static String networks() {
        return (String) browser.executeScript("return document.querySelector('#networks').innerText");
    }

    private static void call(int times) {
        JsonRpcClient client = new JsonRpcClient("http://127.0.0.1:" + weir.port() + "/v3/demo");
        for (int i = 0; i < times; i++) {
            client.post(JsonRpcClient.call("eth_gasPrice"));
        }
    }

    @Test
    void itShowsWhatTheStatusSaysAndRefreshesItself() {
        call(20);
        JsonNode node = status().at("/networks/one/upstreams/0");
        assertThat(node.path("id").asString()).isEqualTo("first");
        await().atMost(PATIENCE).untilAsserted(() -> {
            Map<?, ?> shown = cells("first");
            assertThat(shown.get("state")).isEqualTo("healthy");
            assertThat(shown.get("network")).isEqualTo("one");
            assertThat(shown.get("tier")).isEqualTo(node.path("tier").asString());
            assertThat(shown.get("weight")).isEqualTo(node.path("weight").asString());
            assertThat(shown.get("WebSocket")).isEqualTo("no");
            assertThat(shown.get("units left"))
                    .isEqualTo(grouped(status().at("/networks/one/upstreams/0/budget/leftToday")));
            assertThat(shown.get("head")).isEqualTo(grouped(status().at("/networks/one/upstreams/0/head")));
            assertThat(shown.get("calls/s")).asString().matches("[0-9]+\\.[0-9]");
        });
        String before = one("#kept").getText() + one("#networks").getText();
        await().atMost(PATIENCE).until(() -> {
            call(5);
            return !(one("#kept").getText() + one("#networks").getText()).equals(before);
        });
        assertThat(browser.getTitle()).startsWith("Weir ").endsWith(" at 127.0.0.1:" + weir.adminPort());
    }

    private static JsonNode status() {
        return JsonMapper.shared()
                .readTree(JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/status")
                        .body());
    }

    private static String grouped(JsonNode number) {
        return String.format(Locale.ROOT, "%,d", number.asLong());
    }

    @Test
    void whatIsWrongIsOnTopWithAWayToItsRemedyAndTheWorstNodesAreFirst() {
        assertThat(order().subList(0, 2)).containsExactlyInAnyOrder("down", "foreign");
        await().atMost(PATIENCE).until(() -> {
            call(1);
            return one("#wrong").getText().contains("one node-4: its units of today are spent");
        });
        assertThat(one("#wrong").getText()).contains("one down: down", "one foreign: wrong-chain");
        all("#wrong a").stream()
                .filter(link -> link.getText().startsWith("one foreign"))
                .findFirst()
                .orElseThrow()
                .click();
        assertThat(browser.getCurrentUrl()).endsWith("#help-wrong-chain");
        assertThat(all("#wrong a"))
                .allMatch(link -> !all(link.getDomAttribute("href")).isEmpty());
    }

    @Test
    void withoutItsScriptItIsAPageOfTablesThatRefreshesItself() {
        String page =
                JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/").body();
        assertThat(page)
                .contains("<noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>")
                .contains(
                        "<th scope=\"row\">first</th>", ">wrong-chain</td>", "<h2 id=\"networks-title\">Networks</h2>");
    }

    @Test
    void aClickSortsByAColumnAndAnotherOneTurnsTheOrder() {
        List<String> sorted = order().stream().sorted().toList();
        one("#nodes thead button").click();
        assertThat(order()).isEqualTo(sorted);
        assertThat(one("#nodes thead th").getDomAttribute("aria-sort")).isEqualTo("ascending");
        // A refresh keeps the order.
        String before = networks();
        await().atMost(PATIENCE).until(() -> {
            call(5);
            return !networks().equals(before);
        });
        assertThat(order()).isEqualTo(sorted);
        one("#nodes thead button").click();
        assertThat(order())
                .isEqualTo(order().stream().sorted(Comparator.reverseOrder()).toList());
        assertThat(one("#nodes thead th").getDomAttribute("aria-sort")).isEqualTo("descending");
    }

    @Test
    void anOperationThatFailsSaysSoItself() {
        choose("first");
        one("#token").sendKeys(TOKEN);
        one("#weight").sendKeys("0");
        one(".weigh").click();
        await().atMost(PATIENCE).until(() -> one("#done").getText().contains("not done, "));
        assertThat(one("#done").getText()).contains("expected: ");
        browser.executeScript("const get = window.fetch; window.fetch = (...request) => request[0] === '/'"
                + " ? get(...request) : Promise.reject(new Error('the connection was cut'));");
        one(".drain").click();
        await().atMost(PATIENCE).until(() -> one("#done").getText().contains("no answer, the connection was cut"));
        assertThat(one("#trouble").isDisplayed()).isFalse();
    }

    private static void choose(String node) {
        one("#node").findElements(By.tagName("option")).stream()
                .filter(option -> option.getText().equals("one " + node))
                .findFirst()
                .orElseThrow()
                .click();
    }

    @Test
    void aNodeIsDrainedAndWeighedWithTheToken() {
        choose("node-9");
        one(".drain").click();
        await().atMost(PATIENCE).until(() -> one("#done").getText().contains("the token is missing or wrong"));
        one("#token").sendKeys(TOKEN);
        one(".drain").click();
        await().atMost(PATIENCE).until(() -> "drained".equals(cells("node-9").get("state")));
        one(".enable").click();
        await().atMost(PATIENCE).until(() -> "healthy".equals(cells("node-9").get("state")));
        one("#weight").sendKeys("7");
        one(".weigh").click();
        await().atMost(PATIENCE).until(() -> "7".equals(cells("node-9").get("weight")));
        one(".configured").click();
        await().atMost(PATIENCE).until(() -> "1".equals(cells("node-9").get("weight")));
        assertThat(browser.getPageSource()).doesNotContain(TOKEN_SHA256).doesNotContain("value=\"" + TOKEN);
        assertThat(browser.executeScript("return localStorage.length + sessionStorage.length + document.cookie"))
                .isEqualTo("0");
    }

    @Test
    void nothingComesFromElsewhereAndTheBrowserComplainsOfNothing() {
        Chromium.complaints(browser);
        browser.navigate().refresh();
        String own = "http://127.0.0.1:" + weir.adminPort() + "/";
        Object loaded =
                browser.executeScript("return performance.getEntriesByType('resource').map(entry => entry.name)");
        assertThat((List<?>) loaded)
                .isNotEmpty()
                .allMatch(address -> String.valueOf(address).startsWith(own));
        assertThat(Chromium.complaints(browser)).isEmpty();
    }

    @Test
    void anAccessibilityCheckerFindsNothing() throws IOException {
        Path axe = Checkout.find().npm().resolve("node_modules/axe-core/axe.min.js");
        assumeThat(axe).as("run `npm ci` in proxy-core/src/test/npm").exists();
        browser.executeScript(Files.readString(axe));
        Object violations = browser.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run().then(found => done(found.violations.map(violation =>
                  violation.id + ' ' + violation.nodes.map(node => node.target).join())));""");
        assertThat((List<?>) violations).isEmpty();
    }

    @Test
    void everythingCanBeReachedWithTheKeyboard() {
        Object reachable = browser.executeScript("""
                return [...document.querySelectorAll('a, button, input, select')].every(element => element.tabIndex === 0);""");
        assertThat(reachable).isEqualTo(true);
        WebElement sorting = one("#nodes thead button");
        for (int i = 0; i < 30 && !browser.switchTo().activeElement().equals(sorting); i++) {
            browser.switchTo().activeElement().sendKeys(Keys.TAB);
        }
        browser.switchTo().activeElement().sendKeys(Keys.ENTER);
        assertThat(one("#nodes thead th").getDomAttribute("aria-sort")).isEqualTo("ascending");
    }

    private static void fits(String name) throws IOException {
        for (int width : List.of(1400, 360)) {
            Chromium.resize(browser, width, 900);
            assertThat(Chromium.fitsInWidth(browser)).as("%d px", width).isTrue();
            Chromium.screenshot(browser, PICTURES.resolve("page-" + name + "-" + width + ".png"));
        }
    }

    @Test
    void nineNodesInTroubleFitIntoWideAndNarrowWindows() throws IOException {
        call(20);
        await().atMost(PATIENCE).until(() -> all("#wrong li").size() == 3);
        fits("9-nodes");
        assertThat(one(".drain").isDisplayed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void oneAndFiftyNodesFitIntoWideAndNarrowWindows(int count) throws IOException {
        ConfigurationText text = ConfigurationText.of("one", "1");
        for (int i = 1; i <= count; i++) {
            text = text.upstream("node-" + i, well.url() + "/" + i);
        }
        try (LocalProxy many = LocalProxy.start(text.text())) {
            await().atMost(PATIENCE)
                    .until(() -> many.admin().health("one", "node-1").equals("healthy"));
            browser.get("http://127.0.0.1:" + many.adminPort() + "/");
            assertThat(all("#nodes tbody tr")).hasSize(count);
            fits(count + "-nodes");
        }
    }
}
