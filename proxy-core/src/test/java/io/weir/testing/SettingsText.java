package io.weir.testing;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Folders;
import io.weir.api.setting.Reading;
import io.weir.hocon.HoconDocument;
import io.weir.hocon.InvalidConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Settings of a plugin in a text, read as the proxy reads them. Stateless. */
public final class SettingsText {

    private static final List<String> BLOCK = List.of("plugins", "plugin");

    private SettingsText() {}

    /**
     * Reads the content of a plugin's block.
     *
     * @param problems to which a line {@code path: value (expected: rule)} is added for each
     */
    public static <R extends Record> R read(Class<R> type, String text, List<String> problems) {
        try {
            Path file = Files.createTempFile("settings", ".conf");
            try {
                Files.writeString(file, "plugins.plugin {\n" + text + "\n}");
                HoconDocument document =
                        HoconDocument.read(file, Map.of(), ConfigFactory.empty().root());
                Config block = document.root().toConfig().getConfig(String.join(".", BLOCK));
                Reading reading = Reading.over(type, block.root(), document.sources());
                R read = new Binder(Folders.WORKING_DIRECTORY).read(type, reading.block(BLOCK));
                reading.finish().stream()
                        .sorted()
                        .distinct()
                        .map(problem -> problem.toString().replaceFirst("^.*?: plugins\\.plugin\\.", ""))
                        .forEach(problems::add);
                return read;
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InvalidConfigException e) {
            throw new AssertionError(text, e);
        }
    }

    /** Reads the content of a plugin's block, which has no mistake. */
    public static <R extends Record> R read(Class<R> type, String text) {
        List<String> problems = new ArrayList<>();
        R read = read(type, text, problems);
        if (!problems.isEmpty()) {
            throw new AssertionError(problems);
        }
        return read;
    }
}
