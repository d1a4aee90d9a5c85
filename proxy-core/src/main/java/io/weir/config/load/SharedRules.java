package io.weir.config.load;

import io.weir.config.setting.TextRule;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Rules of texts that several readers use. */
final class SharedRules {

    /** The rule for names that appear in metrics and headers. */
    static final TextRule ID = TextRule.matching(
            "[A-Za-z0-9][A-Za-z0-9._-]{0,62}", "a name of letters, digits, dots, hyphens and underscores");

    private SharedRules() {}

    /** Returns whether a text names a file or folder. */
    static boolean isPath(String text) {
        try {
            return !text.isBlank() && Path.of(text).getFileName() != null;
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
