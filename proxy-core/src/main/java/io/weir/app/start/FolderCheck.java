package io.weir.app.start;

import io.weir.config.TierConfig;
import io.weir.config.WeirConfig;
import io.weir.config.WriteAccess;
import io.weir.hocon.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The check of write permissions on configured folders whose content the proxy trusts. */
final class FolderCheck {

    private FolderCheck() {}

    /** Returns one line for each folder that another user owns or may write to. Missing folders are no problem. */
    static List<String> problems(WeirConfig config, Sources sources) {
        List<String> problems = new ArrayList<>();
        TierConfig.Disk disk = config.cache().tiers().disk();
        if (disk != null) {
            check(disk.path(), List.of("cache", "disk", "path"), sources, problems);
        }
        Path data = config.server().data();
        if (data != null) {
            check(data, List.of("server", "data"), sources, problems);
        }
        for (Path folder : config.plugins().path()) {
            check(folder, List.of("plugins", "path"), sources, problems);
        }
        return problems;
    }

    private static void check(Path folder, List<String> setting, Sources sources, List<String> problems) {
        try {
            String rule = Files.exists(folder) ? WriteAccess.brokenRule(folder) : null;
            if (rule != null) {
                problems.add(sources.atName(setting, folder.toString(), rule).toString());
            }
        } catch (IOException e) {
            problems.add(sources.atName(setting, folder.toString(), "a folder that can be read")
                    .toString());
        }
    }
}
