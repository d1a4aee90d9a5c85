package io.weir.app.start;

import com.codahale.metrics.MetricRegistry;
import io.weir.config.Folders;
import io.weir.config.NetworkConfig;
import io.weir.config.ParamLimit;
import io.weir.config.hocon.InvalidConfigException;
import io.weir.config.hocon.Problem;
import io.weir.config.load.ConfigLoader;
import io.weir.metrics.Meters;
import io.weir.plugin.PluginException;
import io.weir.plugin.PluginHost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The start from a configuration file: yields a running proxy, or all problems of the file. Confined to one thread.
 */
public final class Startup {

    private final Path file;
    private final Folders folders = Folders.ofProcess();
    private final Meters meters = new Meters(new MetricRegistry());

    public Startup(Path file) {
        this.file = file;
    }

    /** A configuration without problems, and its plugins, provisioned and validated but not started. Immutable. */
    private record Opened(ConfigLoader.Loaded loaded, PluginHost plugins) {}

    /**
     * Result of a check. Immutable.
     *
     * @param problems every problem of the configuration and of the plugins' settings, one line each
     * @param notes what cannot be verified, one line each; none if there are problems
     */
    public record Checked(List<String> problems, List<String> notes) {

        public Checked {
            problems = List.copyOf(problems);
            notes = List.copyOf(notes);
        }
    }

    /** Checks the configuration and the plugins' settings. Starts nothing. */
    public Checked check() {
        try {
            Opened opened = open();
            opened.plugins().close();
            return new Checked(
                    List.of(),
                    VerificationNotes.of(opened.loaded().config().networks().values()));
        } catch (StartupException e) {
            return new Checked(e.problems(), List.of());
        }
    }

    /**
     * Starts the proxy.
     *
     * @throws StartupException with every problem, if it cannot start; nothing is left running then
     */
    public Proxy start() throws StartupException {
        Opened opened = open();
        try {
            return Proxy.start(opened.loaded().config(), opened.plugins(), meters);
        } catch (PluginException e) {
            throw new StartupException(e.problems());
        }
    }

    /** Returns the plugins of the configuration, provisioned and validated. */
    public PluginHost plugins() throws StartupException {
        return open().plugins();
    }

    /** Returns one plugin of the configuration, provisioned and validated, for its commands. */
    public PluginHost plugin(String id) throws StartupException {
        try {
            ConfigLoader.Loaded loaded = ConfigLoader.load(file, System.getenv(), folders);
            List<String> open = FolderCheck.problems(loaded.config(), loaded.sources());
            if (!open.isEmpty()) {
                throw new StartupException(open);
            }
            return PluginHost.openOne(setup(loaded), id);
        } catch (InvalidConfigException e) {
            throw new StartupException(e.lines());
        } catch (PluginException e) {
            throw new StartupException(e.problems());
        }
    }

    private Opened open() throws StartupException {
        try {
            return open(ConfigLoader.draft(file, System.getenv(), folders));
        } catch (InvalidConfigException e) {
            throw new StartupException(e.lines());
        }
    }

    /** Checks as much as the problems allow. The plugins need their own settings, and each network needs its own. */
    private Opened open(ConfigLoader.Draft draft) throws StartupException {
        List<String> problems = new ArrayList<>();
        draft.problems().stream().sorted().map(Problem::toString).distinct().forEach(problems::add);
        List<String> open =
                FolderCheck.problems(draft.loaded().config(), draft.loaded().sources());
        problems.addAll(open);
        // The proxy loads no code from a folder that other users may write to.
        if (!open.isEmpty()
                || draft.problems().stream().anyMatch(problem -> problem.path().startsWith("plugins"))) {
            throw new StartupException(problems);
        }
        PluginHost plugins;
        try {
            plugins = PluginHost.open(setup(draft.loaded()));
        } catch (PluginException e) {
            problems.addAll(e.problems());
            throw new StartupException(problems);
        }
        problems.addAll(NetworkCheck.problems(
                networksWithoutProblems(draft), draft.loaded().sources(), plugins.catalogue()));
        if (!problems.isEmpty()) {
            plugins.close();
            throw new StartupException(problems);
        }
        return new Opened(draft.loaded(), plugins);
    }

    private static List<NetworkConfig> networksWithoutProblems(ConfigLoader.Draft draft) {
        return draft.loaded().config().networks().values().stream()
                .filter(network -> draft.problems().stream()
                        .map(problem -> problem.path() + ".")
                        .noneMatch(path ->
                                path.startsWith("networks." + network.name() + ".") || path.startsWith("defaults.")))
                .toList();
    }

    private PluginHost.Setup setup(ConfigLoader.Loaded loaded) {
        return new PluginHost.Setup(
                        loaded.config().plugins(),
                        loaded.sources(),
                        meters,
                        loaded.config().server().callTimeoutMillis())
                .withNamesOf(loaded.config())
                .withMaxValues(loaded.config()
                        .limits()
                        .params()
                        .getOrDefault(ParamLimit.PLUGIN_VALUES, ParamLimit.PLUGIN_VALUES.preset()));
    }
}
