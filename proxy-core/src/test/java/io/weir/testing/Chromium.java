package io.weir.testing;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The Chromium of the machine without a window, with logs of its requests and complaints. Stateless. */
public final class Chromium {

    private static final Path PROGRAM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    private Chromium() {}

    /** Skips the test where the machine has none. */
    public static void require() {
        assumeThat(PROGRAM).as("apt-get install chromium chromium-driver").exists();
        assumeThat(DRIVER).as("apt-get install chromium chromium-driver").exists();
    }

    /** Starts one. The caller quits it. */
    public static ChromeDriver start() {
        return start(false);
    }

    /**
     * Starts one. The caller quits it.
     *
     * @param anyCertificate whether it accepts certificates of authorities that it does not know
     */
    public static ChromeDriver start(boolean anyCertificate) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(PROGRAM.toFile());
        options.setAcceptInsecureCerts(anyCertificate);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        options.addArguments(
                "--headless=new",
                "--disable-gpu",
                "--hide-scrollbars",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run");
        if ("root".equals(fileOwner())) {
            // Chromium's sandbox does not run for root.
            options.addArguments("--no-sandbox");
        }
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .withLogFile(new File("/dev/null"))
                .build();
        return new ChromeDriver(service, options);
    }

    private static String fileOwner() {
        try {
            return Files.getOwner(Path.of("/proc/self")).getName();
        } catch (IOException e) {
            return "";
        }
    }

    /** Gives the page a window of this size. */
    public static void resize(ChromeDriver driver, int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Whether everything is within the width of the window. */
    public static boolean fitsInWidth(ChromeDriver driver) {
        return Boolean.TRUE.equals(
                driver.executeScript("return document.documentElement.scrollWidth <= window.innerWidth"));
    }

    /** Writes a picture of the whole page. */
    public static void screenshot(ChromeDriver driver, Path file) throws IOException {
        Map<String, Object> picture = driver.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(String.valueOf(picture.get("data"))));
    }

    /** What the browser complains of, since the last time. */
    public static List<String> complaints(ChromeDriver driver) {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }
}
