package io.weir.api;

import java.io.PrintStream;
import java.util.List;

/** A command of the command line: {@code java -jar weir.jar plugin <plugin id> <name> …}. */
public interface PluginCommand {

    /** The command's name: one lower-case word. */
    String name();

    /** Describes the command in one line. */
    String description();

    /**
     * Runs the command on the provisioned, not started plugin.
     *
     * @param arguments what follows the name
     * @return the exit code: 0 well, 1 a problem, 2 wrong usage
     * @throws Exception when it fails; the message is shown to the person
     */
    int run(List<String> arguments, PrintStream out, PrintStream err) throws Exception;
}
