package io.weir.app;

import io.weir.api.setting.Folders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for the configuration file. Confined to one thread. */
final class ConfigOption {

    private static final String DEFAULT = "conf/weir.conf";
    private static final String NAME = "--config";

    @Option(names = NAME, paramLabel = "FILE", description = "The configuration file (default: " + DEFAULT + ").")
    private @Nullable Path file;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /**
     * Returns the configuration file of a command line that only runs the proxy: {@code [run] [--config FILE]}. Null for any other,
     * which picocli reads.
     */
    static @Nullable Path ofPlainRun(String... words) {
        int first = words.length > 0 && words[0].equals("run") ? 1 : 0;
        int left = words.length - first;
        if (left == 0) {
            return defaultFile();
        }
        if (left == 1 && words[first].startsWith(NAME + "=")) {
            return Path.of(words[first].substring(NAME.length() + 1));
        }
        return left == 2 && words[first].equals(NAME) && !words[first + 1].startsWith("-")
                ? Path.of(words[first + 1])
                : null;
    }

    /**
     * Takes the option out of the words of a plugin's command, which picocli does not look at. Words after {@code --} stay as they are.
     *
     * @throws ParameterException if the file is missing
     */
    List<String> takenFrom(List<String> words) {
        List<String> left = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--")) {
                left.addAll(words.subList(i, words.size()));
                return left;
            }
            if (word.startsWith(NAME + "=")) {
                file = Path.of(word.substring(NAME.length() + 1));
            } else if (!word.equals(NAME)) {
                left.add(word);
            } else if (++i < words.size()) {
                file = Path.of(words.get(i));
            } else {
                throw new ParameterException(command.commandLine(), "Missing: the file of " + NAME);
            }
        }
        return left;
    }

    /** Returns the file that the command names, or one of the commands before it on the line; otherwise the default. */
    Path file() {
        if (file != null) {
            return file;
        }
        for (CommandSpec spec = command.parent(); spec != null; spec = spec.parent()) {
            OptionSpec option = spec.findOption(NAME);
            if (option != null && option.getValue() instanceof Path named) {
                return named;
            }
        }
        return defaultFile();
    }

    /** Returns the default: in the distribution, or below the working directory if the program does not run from one. */
    static Path defaultFile() {
        return Folders.ofProcess().read(DEFAULT);
    }
}
