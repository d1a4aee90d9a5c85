package io.weir.app.start;

import io.weir.api.setting.Folders;
import io.weir.app.log.LogSetup;
import io.weir.config.NetworkConfig;
import io.weir.config.TierConfig;
import io.weir.config.WeirConfig;
import io.weir.config.WriteAccess;
import io.weir.config.load.ConfigLoader;
import io.weir.config.load.ConfigLoader.Draft;
import io.weir.config.load.ConfigLoader.Loaded;
import io.weir.hocon.InvalidConfigException;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import io.weir.metrics.Meters;
import io.weir.plugin.ConfiguredNames;
import io.weir.plugin.PluginCatalogue;
import io.weir.plugin.PluginException;
import io.weir.plugin.PluginHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration file, read together with the checks that need plugins. Each reading reports all problems. Confined to one thread
 * at a time.
 */
final class ConfigFile {

    private final Path path;
    private final @Nullable String text;
    private final Folders folders = Folders.ofProcess();
    private List<Path> files;

    /** @param text in place of the file's; null to read the file */
    ConfigFile(Path path, @Nullable String text) {
        this.path = path;
        this.text = text;
        this.files = List.of(path);
    }

    /** Returns the text that is in place of the file's; null if there is none. */
    @Nullable
    String text() {
        return text;
    }

    /** A configuration without problems, and its plugins, provisioned and validated but not started. Immutable. */
    record Opened(Draft draft, PluginHost plugins) {

        Loaded loaded() {
            return draft.loaded();
        }
    }

    /**
     * Reads the file and opens its plugins.
     *
     * @param meters of the plugins
     */
    Opened open(Meters meters) throws StartupException {
        Draft draft = draft();
        LogSetup.apply(draft.loaded().config());
        List<String> problems = problems(draft);
        problems.addAll(
                TlsCheck.problems(draft.loaded().config(), draft.loaded().sources(), draft.problems()));
        PluginHost plugins = plugins(draft, meters, problems);
        problems.addAll(networkProblems(draft, plugins.catalogue()));
        if (!problems.isEmpty()) {
            plugins.close();
            throw new StartupException(problems);
        }
        return new Opened(draft, plugins);
    }

    /** Reads the file without its plugins. */
    WeirConfig read() throws StartupException {
        return loaded().config();
    }

    private Loaded loaded() throws StartupException {
        Draft draft = draft();
        List<String> problems = problems(draft);
        if (!problems.isEmpty()) {
            throw new StartupException(problems);
        }
        return draft.loaded();
    }

    PluginHost openOne(String id, Meters meters) throws StartupException {
        Loaded loaded = loaded();
        try {
            return PluginHost.openOne(setup(loaded, meters), id);
        } catch (PluginException e) {
            throw new StartupException(e.problems());
        }
    }

    /**
     * Reads the file anew for a proxy that runs. Plugins check their settings, in objects of their own, if those changed or the names
     * that they may refer to. The networks must suit the plugins that run.
     *
     * @param meters for these objects alone
     */
    Loaded reread(WeirConfig running, PluginCatalogue plugins, Meters meters) throws StartupException {
        Draft draft = draft();
        List<String> problems = problems(draft);
        WeirConfig next = draft.loaded().config();
        boolean samePlugins = next.plugins().equals(running.plugins());
        boolean sameNames =
                next.plugins().settings().isEmpty() || ConfiguredNames.of(next).equals(ConfiguredNames.of(running));
        if (!samePlugins || !sameNames) {
            plugins(draft, meters, problems).close();
        }
        problems.addAll(networkProblems(draft, plugins));
        if (!problems.isEmpty()) {
            throw new StartupException(problems);
        }
        return draft.loaded();
    }

    /** Returns the files of the last reading: the file, its includes, and files with secrets. */
    List<Path> files() {
        return files;
    }

    private Draft draft() throws StartupException {
        try {
            Draft draft = ConfigLoader.draft(path, text, System.getenv(), folders);
            files = draft.loaded().sources().files();
            return draft;
        } catch (InvalidConfigException e) {
            throw new StartupException(e.lines());
        }
    }

    /** Returns the problems that need no plugins, as a list to add to. */
    private static List<String> problems(Draft draft) throws StartupException {
        List<String> problems = new ArrayList<>();
        draft.problems().stream().sorted().map(Problem::toString).distinct().forEach(problems::add);
        List<String> open = openFolders(draft.loaded().config(), draft.loaded().sources());
        problems.addAll(open);
        // The proxy loads no code from a folder that other users may write to.
        if (!open.isEmpty()
                || draft.problems().stream().anyMatch(problem -> problem.path().startsWith("plugins"))) {
            throw new StartupException(problems);
        }
        return problems;
    }

    private static PluginHost plugins(Draft draft, Meters meters, List<String> problems) throws StartupException {
        try {
            return PluginHost.open(setup(draft.loaded(), meters));
        } catch (PluginException e) {
            problems.addAll(e.problems());
            throw new StartupException(problems);
        }
    }

    /** Checks each network without problems of its own. */
    private static List<String> networkProblems(Draft draft, PluginCatalogue plugins) {
        List<NetworkConfig> networks = draft.loaded().config().networks().values().stream()
                .filter(network -> draft.problems().stream()
                        .map(problem -> problem.path() + ".")
                        .noneMatch(
                                at -> at.startsWith("networks." + network.name() + ".") || at.startsWith("defaults.")))
                .toList();
        return NetworkCheck.problems(networks, draft.loaded().sources(), plugins);
    }

    private static PluginHost.Setup setup(Loaded loaded, Meters meters) {
        WeirConfig config = loaded.config();
        return new PluginHost.Setup(
                        config.plugins(),
                        loaded.sources(),
                        meters,
                        config.server().callTimeoutMillis())
                .withNamesOf(config);
    }

    /** Returns one line for each folder whose content the proxy trusts, and that another user owns or may write to. */
    private static List<String> openFolders(WeirConfig config, Sources sources) {
        List<String> problems = new ArrayList<>();
        TierConfig.Disk disk = config.cache().tiers().disk();
        if (disk != null) {
            check(disk.path(), List.of("cache", "disk", "path"), sources, problems);
        }
        Path data = config.server().data();
        if (data != null) {
            check(data, List.of("server", "data"), sources, problems);
        }
        config.plugins().path().forEach(folder -> check(folder, List.of("plugins", "path"), sources, problems));
        return problems;
    }

    /** Adds the problem of a folder. A missing one has none. */
    private static void check(Path folder, List<String> setting, Sources sources, List<String> problems) {
        String rule;
        try {
            rule = Files.exists(folder) ? WriteAccess.brokenRule(folder) : null;
        } catch (IOException e) {
            rule = "a folder that can be read";
        }
        if (rule != null) {
            problems.add(sources.atName(setting, folder.toString(), rule).toString());
        }
    }
}
