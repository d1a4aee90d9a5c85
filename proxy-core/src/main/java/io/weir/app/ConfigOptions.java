package io.weir.app;

import com.typesafe.config.ConfigUtil;
import io.weir.api.setting.Folders;
import io.weir.app.start.NodesConfig;
import io.weir.app.start.Startup;
import io.weir.app.start.StartupException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that state the configuration: a file or nodes, and settings over it. Confined to one thread. */
final class ConfigOptions {

    private static final String DEFAULT = "conf/weir.conf";
    private static final String NAME = "--config";
    /** The name of the mixin in each command that has these options. */
    static final String MIXIN = "config";
    /** Values that HOCON reads as they are; others need quotes. */
    private static final Pattern PLAIN = Pattern.compile("[\\w .+-]+|[\"\\[{$].*");

    @Option(names = NAME, paramLabel = "FILE", description = "The configuration file (default: " + DEFAULT + ").")
    private @Nullable Path file;

    @Option(names = "--node", paramLabel = "URL", description = "A node, in place of a file; may be repeated.")
    private List<String> nodes = List.of();

    @Option(names = "--port", paramLabel = "PORT", description = "The port for JSON-RPC, as server.port.")
    private @Nullable Integer port;

    @Option(names = "--admin-port", paramLabel = "PORT", description = "The port for operators, as admin.port.")
    private @Nullable Integer adminPort;

    @Option(names = "--set", paramLabel = "SETTING=VALUE", description = "Another setting; may be repeated.")
    private List<String> settings = List.of();

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
                throw wrong("Missing: the file of " + NAME);
            }
        }
        return left;
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Returns the failure of a command whose options are wrong. */
    ParameterException wrong(String problem) {
        return new ParameterException(command.commandLine(), problem);
    }

    /** Returns the options of the command and of those before it on the line, which are further out. */
    private ConfigOptions stated() {
        ConfigOptions all = new ConfigOptions();
        for (CommandSpec spec = command; spec != null; spec = spec.parent()) {
            CommandSpec mixin = spec.mixins().get(MIXIN);
            if (mixin != null) {
                all.addOuter((ConfigOptions) mixin.userObject());
            }
        }
        return all;
    }

    private void addOuter(ConfigOptions outer) {
        file = file == null ? outer.file : file;
        port = port == null ? outer.port : port;
        adminPort = adminPort == null ? outer.adminPort : adminPort;
        nodes = Stream.concat(outer.nodes.stream(), nodes.stream()).toList();
        settings = Stream.concat(outer.settings.stream(), settings.stream()).toList();
    }

    private boolean hasMore() {
        return !nodes.isEmpty() || port != null || adminPort != null || !settings.isEmpty();
    }

    String name() {
        ConfigOptions stated = stated();
        return stated.nodes.isEmpty()
                ? stated.file() + (stated.hasMore() ? " with the options" : "")
                : "the command line";
    }

    /** Returns whether the options name nodes in place of a file. */
    boolean hasNodes() {
        return !stated().nodes.isEmpty();
    }

    /** Returns the words of the command that prints the same configuration; null if they show what may be a credential. */
    @Nullable
    String configWords() {
        ConfigOptions stated = stated();
        boolean plain = stated.settings.isEmpty()
                && stated.nodes.stream().allMatch(url -> NodesConfig.shown(url).equals(url));
        return plain
                ? "config"
                        + stated.nodes.stream()
                                .map(url -> " --node '" + url + "'")
                                .collect(Collectors.joining())
                        + (stated.port == null ? "" : " --port " + stated.port)
                        + (stated.adminPort == null ? "" : " --admin-port " + stated.adminPort)
                : null;
    }

    /**
     * Returns the start that the options state. Asks the nodes that they name for their chain.
     *
     * @throws ParameterException if the options contradict each other
     * @throws StartupException if a node does not say its chain
     */
    Startup startup() throws StartupException {
        ConfigOptions stated = stated();
        return stated.hasMore()
                ? new Startup(Path.of("command line"), stated.text(command.commandLine()))
                : new Startup(stated.file(), null);
    }

    /**
     * Returns the configuration that the options state, as the text of a file.
     *
     * @param line of the command that reads it
     */
    private String text(CommandLine line) throws StartupException {
        if (file != null && !nodes.isEmpty()) {
            throw new ParameterException(line, "--node beside --config (expected: one of them)");
        }
        StringBuilder text = new StringBuilder(
                nodes.isEmpty()
                        ? "include "
                                + ConfigUtil.quoteString(file().toAbsolutePath().toString()) + "\n"
                        : NodesConfig.of(nodes));
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals <= 0) {
                throw new ParameterException(line, "--set: no value (expected: SETTING=VALUE)");
            }
            String value = setting.substring(equals + 1).strip();
            text.append(setting, 0, equals)
                    .append(" = ")
                    .append(PLAIN.matcher(value).matches() ? value : ConfigUtil.quoteString(value))
                    .append('\n');
        }
        if (port != null) {
            text.append("server.port = ").append(port).append('\n');
        }
        if (adminPort != null) {
            text.append("admin.port = ").append(adminPort).append('\n');
        }
        return text.toString();
    }

    private Path file() {
        return file == null ? defaultFile() : file;
    }

    /** Returns the default: in the distribution, or below the working directory if the program does not run from one. */
    static Path defaultFile() {
        return Folders.ofProcess().read(DEFAULT);
    }
}
