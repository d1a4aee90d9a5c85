package io.weir.app.start;

import com.codahale.metrics.MetricRegistry;
import io.weir.config.WeirConfig;
import io.weir.metrics.Meters;
import io.weir.plugin.PluginException;
import io.weir.plugin.PluginHost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The start from a configuration file: yields a running proxy, or all problems of the file. Confined to one thread.
 */
public final class Startup {

    private final ConfigFile file;
    private final Meters meters = new Meters(new MetricRegistry());

    /** @param text in place of the file's; null to read the file */
    public Startup(Path file, @Nullable String text) {
        this.file = new ConfigFile(file, text);
    }

    /**
     * Result of a check. Immutable.
     *
     * @param problems every problem of the configuration and of the plugins' settings, one line each
     * @param warnings settings that are probably not meant, one line each; none if there are problems
     * @param summary of what is configured; none if there are problems
     */
    public record Checked(List<String> problems, List<String> warnings, List<String> summary) {

        public Checked {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
            summary = List.copyOf(summary);
        }
    }

    /** Returns the configuration that the options state in place of a file; null if there is a file. */
    public @Nullable String text() {
        return file.text();
    }

    /** Checks the configuration and the plugins' settings. Starts nothing. */
    public Checked check() {
        try {
            ConfigFile.Opened opened = file.open(meters);
            WeirConfig config = opened.loaded().config();
            List<String> warnings =
                    new ArrayList<>(ConfigWarnings.of(config, opened.loaded().sources()));
            warnings.addAll(NetworkCheck.notes(
                    opened.loaded().sources(), opened.plugins().catalogue()));
            warnings.addAll(TlsCheck.notes(config));
            warnings.addAll(opened.plugins().warnings());
            List<String> summary = ConfigSummary.of(config, opened.plugins().summaries());
            opened.plugins().close();
            return new Checked(List.of(), warnings, summary);
        } catch (StartupException e) {
            return new Checked(e.problems(), List.of(), List.of());
        }
    }

    /**
     * Returns the settings in force as lines of a file, each with its origin. Starts nothing.
     *
     * @param changed whether to leave out those that are as by default
     * @throws StartupException with every problem of the configuration and of the plugins' settings
     */
    public List<String> settings(boolean changed) throws StartupException {
        ConfigFile.Opened opened = file.open(meters);
        try (PluginHost plugins = opened.plugins()) {
            List<String> lines = new ArrayList<>(opened.draft().lines(changed));
            lines.addAll(plugins.settingLines(changed));
            return lines;
        }
    }

    /**
     * Starts the proxy.
     *
     * @throws StartupException with every problem, if it cannot start; nothing is left running then
     */
    public Proxy start() throws StartupException {
        ConfigFile.Opened opened = file.open(meters);
        try {
            return Proxy.start(file, opened, meters);
        } catch (PluginException e) {
            throw new StartupException(e.problems());
        }
    }

    /** Returns the configuration, for commands that need no plugin. */
    public WeirConfig config() throws StartupException {
        return file.read();
    }

    /** Returns the plugins of the configuration, provisioned and validated. */
    public PluginHost plugins() throws StartupException {
        return file.open(meters).plugins();
    }

    /** Returns one plugin of the configuration, provisioned and validated, for its commands. */
    public PluginHost plugin(String id) throws StartupException {
        return file.openOne(id, meters);
    }
}
