package io.weir.bench.load.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The processor of each part of a run. The server has the first alone, the driver the second, and the node the third. The node
 * shares the driver's if there is no third. Without {@code taskset}, or with one processor, nothing is held anywhere. Immutable.
 *
 * @param enabled whether anything is held
 * @param processors of the machine
 */
public record Pinning(boolean enabled, int processors) {

    /** Returns the pinning that is possible here. */
    public static Pinning possible(boolean wanted) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new Pinning(wanted && processors > 1 && Tool.TASKSET.isThere(), processors);
    }

    /** A command on the server's processor. */
    public List<String> server(List<String> command) {
        return on(0, command);
    }

    /** A command on the node's. */
    public List<String> node(List<String> command) {
        return on(processors > 2 ? 2 : 1, command);
    }

    /** A command on the driver's. */
    public List<String> driver(List<String> command) {
        return on(1, command);
    }

    /** A command on all processors, although this process is held to one. */
    public List<String> nowhere(List<String> command) {
        if (!enabled) {
            return command;
        }
        List<String> free = new ArrayList<>(List.of(Tool.TASKSET.path(), "-c", "0-" + (processors - 1)));
        free.addAll(command);
        return free;
    }

    /** Holds this process to the driver's. */
    public void holdThisProcess() throws IOException, InterruptedException {
        if (enabled) {
            String pid = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder(Tool.TASKSET.path(), "-a", "-c", "-p", "1", pid)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    /** How it is, in words. */
    public String words() {
        if (!enabled) {
            return "nothing is pinned";
        }
        return "server on processor 0, drivers on 1, node on " + (processors > 2 ? "2" : "1, with the drivers");
    }

    private List<String> on(int processor, List<String> command) {
        if (!enabled) {
            return command;
        }
        List<String> pinned = new ArrayList<>(List.of(Tool.TASKSET.path(), "-c", Integer.toString(processor)));
        pinned.addAll(command);
        return pinned;
    }
}
