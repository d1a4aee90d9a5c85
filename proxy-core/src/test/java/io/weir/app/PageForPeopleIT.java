package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Chromium;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.EchoNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page of the admin listener in a real Chromium. */
final class PageForPeopleIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String TOKEN = "demo";
    private static final String TOKEN_SHA256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";

    /** Notes each answer that the page gets, before the page shows it. */
    private static final String NOTE_STATUS = """
            const get = window.fetch;
            window.fetch = async (...request) => {
              const response = await get(...request);
              if (request[0] === '/status') { window.lastStatus = await response.clone().text(); }
              return response;
            };""";

    private static final String FIGURES = """
            return [window.lastStatus, Object.fromEntries(
              [...document.querySelectorAll('[data-path]')].map(place => [place.dataset.path, place.textContent]))];""";

    private static EchoNode first;
    private static EchoNode second;
    private static LocalProxy weir;
    private static ChromeDriver browser;

    @BeforeAll
    static void start() {
        Chromium.require();
        first = EchoNode.start("first", 1);
        second = EchoNode.start("second", 1);
        weir = LocalProxy.start(ConfigurationText.of("one", "1")
                .upstream("first", first.url())
                .upstream("second", second.url())
                .networkSetting("upstreams.first.budget { per-day = 1000000, costs = alchemy }")
                .setting("admin.token-sha256 = \"" + TOKEN_SHA256 + "\"")
                .text());
        browser = Chromium.start();
        browser.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", NOTE_STATUS));
        await().atMost(PATIENCE)
                .until(() -> weir.admin().health("one", "first").equals("healthy")
                        && weir.admin().health("one", "second").equals("healthy"));
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (weir != null) {
            weir.close();
        }
        if (first != null) {
            first.close();
            second.close();
        }
    }

    @BeforeEach
    void open() {
        Chromium.resize(browser, 1280, 900);
        browser.get("http://127.0.0.1:" + weir.adminPort() + "/");
        await().atMost(PATIENCE).until(() -> !all("[data-path]").isEmpty());
    }

    private static List<WebElement> all(String selector) {
        return browser.findElements(By.cssSelector(selector));
    }

    private static WebElement one(String selector) {
        return browser.findElement(By.cssSelector(selector));
    }

    private static String figure(String path) {
        try {
            return all("[data-path='" + path + "']").stream()
                    .map(WebElement::getText)
                    .findFirst()
                    .orElse("");
        } catch (StaleElementReferenceException e) {
            // The page put a newer figure in its place meanwhile.
            return figure(path);
        }
    }

    private static void call(int times) {
        JsonRpcClient client = new JsonRpcClient("http://127.0.0.1:" + weir.port() + "/v3/demo");
        for (int i = 0; i < times; i++) {
            client.post(JsonRpcClient.call("eth_gasPrice"));
        }
    }

    @Test
    void everyFigureEqualsTheStatus() {
        call(20);
        await().atMost(PATIENCE)
                .until(() -> !figure("/networks/one/calls/result").isEmpty());
        one("#pause").click();
        await().atMost(PATIENCE).untilAsserted(PageForPeopleIT::compare);
    }

    private static void compare() {
        List<?> read = (List<?>) browser.executeScript(FIGURES);
        JsonNode status = JsonMapper.shared().readTree(String.valueOf(read.get(0)));
        Map<?, ?> figures = (Map<?, ?>) read.get(1);
        assertThat(figures).hasSizeGreaterThan(25);
        assertThat(figures.keySet().stream().map(String::valueOf))
                .contains(
                        "/networks/one/head/number",
                        "/networks/one/latency/p99Millis",
                        "/networks/one/upstreams/0/health",
                        "/networks/one/upstreams/0/calls/result",
                        "/networks/one/upstreams/0/budget/usedToday");
        figures.forEach((path, text) -> assertThat(String.valueOf(text).replace("\u202f", ""))
                .as(String.valueOf(path))
                .isEqualTo(plain(status.at(String.valueOf(path)))));
    }

    /** Returns a value as scripts write it: 1 and not 1.0. */
    private static String plain(JsonNode value) {
        return value.isNumber() ? value.asString().replaceFirst("\\.0$", "") : value.asString();
    }

    @Test
    void thePlotsMove() {
        String points = "#networks polyline";
        await().atMost(PATIENCE)
                .until(() ->
                        !String.valueOf(one(points).getDomAttribute("points")).isBlank());
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            call(5);
            return one("#networks output").getText().matches("[1-9][0-9.]* /s");
        });
        assertThat(one(points).getDomAttribute("points")).contains(" ");
    }

    @Test
    void anOperationThatFailsSaysSoItself() {
        await().atMost(PATIENCE).until(() -> !all(".node .weigh").isEmpty());
        one("#token").sendKeys(TOKEN);
        one(".node input").sendKeys("0");
        one(".node .weigh").click();
        await().atMost(PATIENCE).until(() -> one("#done").getText().contains("not done, "));
        assertThat(one("#done").getText()).contains("expected: ");
        browser.executeScript("const get = window.fetch; window.fetch = (...request) => request[0] === '/status'"
                + " ? get(...request) : Promise.reject(new Error('the connection was cut'));");
        one(".node .drain").click();
        await().atMost(PATIENCE).until(() -> one("#done").getText().contains("no answer, the connection was cut"));
        assertThat(one("#trouble").isDisplayed()).isFalse();
    }

    @Test
    void aNodeIsDrainedAndWeighedWithTheToken() {
        String node = "/networks/one/upstreams/0";
        one(".node .drain").click();
        await().atMost(PATIENCE).until(() -> one("#done").getText().contains("the token is missing or wrong"));
        one("#token").sendKeys(TOKEN);
        one(".node .drain").click();
        await().atMost(PATIENCE).until(() -> figure(node + "/drained").equals("true"));
        one(".node .enable").click();
        await().atMost(PATIENCE).until(() -> figure(node + "/drained").isEmpty());
        one(".node input").sendKeys("7");
        one(".node .weigh").click();
        await().atMost(PATIENCE)
                .until(() -> figure(node + "/weight").equals("7")
                        && figure(node + "/configuredWeight").equals("1"));
        one(".node .configured").click();
        await().atMost(PATIENCE).until(() -> figure(node + "/weight").equals("1"));
        assertThat(browser.getPageSource()).doesNotContain(TOKEN_SHA256).doesNotContain("value=\"" + TOKEN);
        assertThat(browser.executeScript("return localStorage.length + sessionStorage.length + document.cookie"))
                .isEqualTo("0");
    }

    @Test
    void nothingComesFromElsewhereAndTheBrowserComplainsOfNothing() {
        Chromium.complaints(browser);
        browser.navigate().refresh();
        await().atMost(PATIENCE).until(() -> !all("[data-path]").isEmpty());
        String own = "http://127.0.0.1:" + weir.adminPort() + "/";
        Object loaded =
                browser.executeScript("return performance.getEntriesByType('resource').map(entry => entry.name)");
        assertThat((List<?>) loaded)
                .isNotEmpty()
                .allMatch(address -> String.valueOf(address).startsWith(own));
        assertThat(Chromium.complaints(browser)).isEmpty();
    }

    @Test
    void itFitsIntoWideAndNarrowWindows() throws IOException {
        // Until the plots have a few points.
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(() -> {
            call(2);
            return String.valueOf(one("#networks polyline").getDomAttribute("points"))
                            .split(" ")
                            .length
                    > 6;
        });
        for (int width : List.of(1280, 400)) {
            Chromium.resize(browser, width, 900);
            assertThat(Chromium.fitsInWidth(browser)).as("%d px", width).isTrue();
            Chromium.screenshot(browser, PICTURES.resolve("page-" + width + ".png"));
        }
        assertThat(one(".node .drain").isDisplayed()).isTrue();
    }
}
