package io.weir.wallet.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real Chromium, as a person at the approvals page has one. Confined to one thread. */
public final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ChromeDriver driver;
    private final String page;
    private String home;

    private Browser(ChromeDriver driver, String page) {
        this.driver = driver;
        this.page = page;
        this.home = page;
    }

    /** Skips the test where the machine has none. */
    public static void require() {
        Chromium.require();
    }

    /** Starts one for the page at an address, without opening it. */
    public static Browser start(String page) {
        return new Browser(Chromium.start(), page);
    }

    /** Opens the page: the list of the session, where somebody has signed in. */
    public Browser open() {
        return open("");
    }

    /** Opens any page. */
    public Browser visit(String address) {
        driver.get(address);
        return this;
    }

    /** The address of the page that is open. */
    public String address() {
        return driver.getCurrentUrl();
    }

    /** Signs in, where nobody is. */
    public Browser signIn(String credential) {
        open();
        if (has("#credential")) {
            find("#credential").sendKeys(credential);
            click("#sign-in");
            home = address();
        }
        return this;
    }

    /** Opens what waits first, once something does. The list reloads itself, and the link that was found may be gone. */
    public Browser lookAtFirst() {
        await(() -> {
            open();
            if (!has("a.look")) {
                return false;
            }
            click("a.look");
            return true;
        });
        return this;
    }

    /** Clicks, and waits until another page is there. */
    public void click(String selector) {
        WebElement element = find(selector);
        Object before = driver.executeScript("return performance.timeOrigin");
        element.click();
        await(() -> !before.equals(driver.executeScript("return performance.timeOrigin"))
                && "complete".equals(driver.executeScript("return document.readyState")));
    }

    /** Clicks where no other page comes of it. */
    public void clickInVain(String selector) {
        find(selector).click();
    }

    /** Opens a page of another site with an address in a frame, and reads what the frame shows. */
    public String textInFrame(String address) {
        driver.get("data:text/html,<iframe src='" + address + "'></iframe>");
        return textInFrame();
    }

    /** Reads what the first frame of the page shows. */
    public String textInFrame() {
        driver.switchTo().frame(0);
        String shown = text();
        driver.switchTo().defaultContent();
        return shown;
    }

    /** Gives the page a window of this size. */
    public Browser resize(int width, int height) {
        Chromium.resize(driver, width, height);
        return this;
    }

    /** Opens a page below the page's own. */
    public Browser open(String below) {
        driver.get(home + below);
        return this;
    }

    /** Whether everything is within the width of the window. */
    public boolean fitsInWidth() {
        return Chromium.fitsInWidth(driver);
    }

    /** Writes a picture of the whole page. */
    public void screenshot(Path file) throws IOException {
        Chromium.screenshot(driver, file);
    }

    /** What a person reads. */
    public String text() {
        return text("body");
    }

    /** Waits for a page that reloads itself to say something. */
    public void awaitText(String said) {
        await(() -> text().contains(said));
    }

    /** The text of one element, also of a page that reloads itself. */
    public String text(String selector) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(StaleElementReferenceException.class)
                .until(() -> find(selector).getText(), Objects::nonNull);
    }

    /** The value of a field. */
    public String value(String selector) {
        return find(selector).getDomProperty("value");
    }

    /** Presses the tabulator. */
    public void tab() {
        driver.switchTo().activeElement().sendKeys(Keys.TAB);
    }

    /** The id of the element that has the focus. */
    public String focused() {
        return driver.switchTo().activeElement().getDomProperty("id");
    }

    /** The title. */
    public String title() {
        return driver.getTitle();
    }

    /** Whether an element is there. */
    public boolean has(String selector) {
        return !driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    /** A style as the browser computes it. */
    public String style(String selector, String property) {
        return find(selector).getCssValue(property);
    }

    /** Goes one page back. */
    public void back() {
        driver.navigate().back();
    }

    /** Forgets every cookie but keeps the page. */
    public void forgetCookies() {
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        home = page;
    }

    /** The cookies that a script of the page could read. */
    public String cookiesForScripts() {
        return String.valueOf(driver.executeScript("return document.cookie"));
    }

    /** What the browser complains of, since the last time. */
    public List<String> complaints() {
        return Chromium.complaints(driver);
    }

    /** Waits until the browser complains of each of these, which it does behind the page's back. */
    public void awaitComplaints(String... of) {
        List<String> all = new ArrayList<>();
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            all.addAll(complaints());
            for (String one : of) {
                assertThat(all).anyMatch(line -> line.contains(one) && line.contains("Content Security Policy"));
            }
        });
    }

    /** Every address on a network that the browser asked for, since the last time. */
    public List<String> askedFor() {
        List<String> addresses = new ArrayList<>();
        for (LogEntry entry : log(LogType.PERFORMANCE)) {
            JsonNode message = JSON.readTree(entry.getMessage()).path("message");
            if (message.path("method").asString().equals("Network.requestWillBeSent")) {
                String address = message.at("/params/request/url").asString();
                // The empty page that it begins with is inside the browser.
                if (!address.startsWith("data:") && !address.startsWith("chrome:") && !address.startsWith("about:")) {
                    addresses.add(address);
                }
            }
        }
        assertThat(addresses).as("requests in the browser's log").isNotEmpty();
        return addresses;
    }

    private List<LogEntry> log(String type) {
        return driver.manage().logs().get(type).getAll();
    }

    private WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(condition);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
