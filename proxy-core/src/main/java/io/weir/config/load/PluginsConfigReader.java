package io.weir.config.load;

import com.typesafe.config.Config;
import io.weir.config.Folders;
import io.weir.config.WeirConfig.PluginsConfig;
import io.weir.config.setting.Block;
import io.weir.config.setting.TextRule;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reader of {@code plugins}. The plugins' own blocks are checked later, when the plugins are known. */
final class PluginsConfigReader {

    static final TextRule FOLDER = new TextRule(PluginsConfigReader::isPath, "the path of a folder");

    private PluginsConfigReader() {}

    static PluginsConfig read(Block plugins, Folders folders) {
        List<Path> path = plugins.setting("path").texts(FOLDER).stream()
                .map(folders::read)
                .toList();
        Set<String> disabled = Set.copyOf(plugins.setting("disabled").texts(NetworkConfigReader.NAME));
        Path data = folders.written(plugins.setting("data").text(FOLDER));
        int threads = plugins.setting("threads").number(1, 10_000);
        long maxCallTime = plugins.setting("max-call-time").millis("10 ms", "1 d");
        Map<String, Config> settings = new LinkedHashMap<>();
        plugins.otherBlocks().forEach((id, block) -> settings.put(id, block.toConfig()));
        plugins.end();
        return new PluginsConfig(path, disabled, data, threads, maxCallTime, Collections.unmodifiableMap(settings));
    }

    private static boolean isPath(String text) {
        try {
            return !Path.of(text).toString().isEmpty();
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
