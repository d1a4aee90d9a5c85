package io.weir.app;

import com.codahale.metrics.MetricRegistry;
import io.weir.config.hocon.InvalidConfigException;
import io.weir.config.load.ConfigLoader;
import io.weir.metrics.Meters;
import io.weir.plugin.PluginException;
import io.weir.plugin.PluginHost;
import java.nio.file.Path;
import java.util.List;

/** From a configuration file to a running proxy, or to what is wrong with the file. Confined to one thread. */
final class Startup {

    private final Path file;
    private final Meters meters = new Meters(new MetricRegistry());

    Startup(Path file) {
        this.file = file;
    }

    /** Every problem of the configuration and of the plugins' settings, one line each; starts nothing. */
    List<String> problems() {
        try {
            return with(loaded -> {
                try (PluginHost plugins = PluginHost.open(setup(loaded))) {
                    return NetworkCheck.problems(loaded, plugins.catalogue());
                }
            });
        } catch (StartupException e) {
            return e.problems();
        }
    }

    /**
     * Starts the proxy.
     *
     * @throws StartupException with every problem, when it cannot start; nothing is left running then
     */
    Proxy start() throws StartupException {
        return with(loaded -> {
            PluginHost plugins = PluginHost.open(setup(loaded));
            List<String> problems = NetworkCheck.problems(loaded, plugins.catalogue());
            if (!problems.isEmpty()) {
                plugins.close();
                throw new StartupException(problems);
            }
            return Proxy.start(loaded.config(), plugins, meters);
        });
    }

    /** The plugins of the configuration, provisioned and validated. */
    PluginHost plugins() throws StartupException {
        return with(loaded -> PluginHost.open(setup(loaded)));
    }

    /** One plugin of the configuration, provisioned and validated, for its commands. */
    PluginHost plugin(String id) throws StartupException {
        return with(loaded -> PluginHost.openOne(setup(loaded), id));
    }

    private <T> T with(Step<T> step) throws StartupException {
        try {
            return step.take(load());
        } catch (InvalidConfigException e) {
            throw new StartupException(e.lines());
        } catch (PluginException e) {
            throw new StartupException(e.problems());
        }
    }

    private interface Step<T> {
        T take(ConfigLoader.Loaded loaded) throws PluginException, StartupException;
    }

    private ConfigLoader.Loaded load() throws InvalidConfigException {
        return ConfigLoader.load(file, System.getenv());
    }

    private PluginHost.Setup setup(ConfigLoader.Loaded loaded) {
        return new PluginHost.Setup(
                loaded.config().plugins(),
                loaded.sources(),
                meters,
                loaded.config().server().callTimeoutMillis());
    }
}
