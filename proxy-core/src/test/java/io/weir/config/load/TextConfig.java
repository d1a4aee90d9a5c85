package io.weir.config.load;

import io.weir.api.setting.Binder;
import io.weir.config.WeirConfig;
import io.weir.hocon.InvalidConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Loads configurations from text. */
public final class TextConfig {

    /** The least that is a configuration. */
    public static final String NETWORK = "networks.a { chain-id = 1, upstreams.n.url = \"http://127.0.0.1:1\" }\n";

    private TextConfig() {}

    /** Loads the text, which must be without problems. */
    public static WeirConfig load(String text) {
        return load(text, Map.of());
    }

    public static WeirConfig load(String text, Map<String, String> environment) {
        try {
            return inFile(text, environment);
        } catch (InvalidConfigException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /** The lines that are printed, with the file as {@code weir.conf}. */
    public static List<String> problems(String text) {
        return problems(text, Map.of());
    }

    public static List<String> problems(String text, Map<String, String> environment) {
        try {
            inFile(text, environment);
            return List.of();
        } catch (InvalidConfigException e) {
            return e.lines().stream()
                    .map(line -> line.replaceFirst("^.*weir\\.conf:", "weir.conf:"))
                    .toList();
        }
    }

    /** The problems of a line put after the least configuration, without their places, each {@code path: …}. */
    public static List<String> rules(String line) {
        return problems(NETWORK + line).stream()
                .map(problem -> problem.replaceFirst("^weir\\.conf:2(:\\d+)?: ", ""))
                .toList();
    }

    /** A configuration without networks, with these parts of it, by the names of the record's components. */
    public static WeirConfig with(Map<String, Object> parts) {
        WeirConfig usual = load(NETWORK);
        return Binder.with(
                usual,
                component -> component.getName().equals("networks")
                        ? Map.of()
                        : parts.getOrDefault(component.getName(), Binder.get(component, usual)));
    }

    private static WeirConfig inFile(String text, Map<String, String> environment) throws InvalidConfigException {
        try {
            Path folder = Files.createTempDirectory("weir-config");
            Path file = folder.resolve("weir.conf");
            try {
                Files.writeString(file, text);
                return ConfigLoader.load(file, environment).config();
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
