package io.weir.app;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the configuration file. */
final class ConfigOption {

    static final String DEFAULT = "conf/weir.conf";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = DEFAULT,
            description = "The configuration file (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of(DEFAULT);

    Path file() {
        return file;
    }
}
