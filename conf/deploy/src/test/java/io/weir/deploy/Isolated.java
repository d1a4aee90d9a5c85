package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.testing.ChildProcess;
import io.weir.testing.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program with mounts, processes and a network of its own. In that network all ports are free, and only the machine itself is reached.
 * The mounts end with the program. Confined to one thread.
 */
final class Isolated implements AutoCloseable {

    private static final List<String> UNSHARE = List.of(
            "unshare",
            "--mount",
            "--pid",
            "--net",
            "--ipc",
            "--uts",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "--",
            "sh",
            "-euc",
            "ip link set lo up; exec \"$@\"",
            "sh");

    private final ChildProcess process;

    private Isolated(ChildProcess process) {
        this.process = process;
    }

    /** Skips the test where such a program cannot be started. */
    static void assumePossible() {
        for (String program : List.of("unshare", "nsenter", "setpriv")) {
            Machine.assumeProgram(program, "apt-get install util-linux");
        }
        Machine.assumeProgram("ip", "apt-get install iproute2");
        Machine.assumeProgram("curl", "apt-get install curl");
        assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "only root mounts file systems: run the tests as root, such as in a virtual machine");
        try (Isolated probe = start("probe", Path.of("/"), List.of("true"))) {
            int exit = probe.process.awaitExit(Unpacked.PATIENCE);
            assumeTrue(exit == 0, () -> "this system allows no namespaces: " + probe.process.told());
        }
    }

    /** Starts a program. */
    static Isolated start(String name, Path folder, List<String> command) {
        List<String> whole = Stream.concat(UNSHARE.stream(), command.stream()).toList();
        return new Isolated(ChildProcess.start(name, folder, Map.of(), whole));
    }

    /** Runs a program that must succeed. Returns what it prints. */
    static List<String> run(String name, Path folder, List<String> command) {
        try (Isolated run = start(name, folder, command)) {
            assertThat(run.process.awaitExit(Unpacked.PATIENCE))
                    .as(String.join(" ", command) + run.process.told())
                    .isZero();
            return run.process.out();
        }
    }

    /** The program, for its output and its end. */
    ChildProcess process() {
        return process;
    }

    /** The program itself, which is the first process of its own. */
    ProcessHandle first() {
        return process.handle().children().findFirst().orElseThrow(() -> new AssertionError(process.told()));
    }

    /** Sends the program a signal, such as {@code SIGTERM}. */
    void signal(String name) {
        Unpacked.run(Path.of("/"), "kill", "-s", name.replaceFirst("^SIG", ""), Long.toString(first().pid()));
    }

    /** Runs a command among the program's processes, with its mounts and its network. Returns its exit code. */
    int enter(List<String> command) {
        try (ChildProcess run = entered(command)) {
            return run.awaitExit(Unpacked.PATIENCE);
        }
    }

    /** As above, for a command that must succeed. Returns what it prints. */
    List<String> inside(String... command) {
        try (ChildProcess run = entered(List.of(command))) {
            assertThat(run.awaitExit(Unpacked.PATIENCE))
                    .as(String.join(" ", command) + run.told())
                    .isZero();
            return run.out();
        }
    }

    private ChildProcess entered(List<String> command) {
        long pid = process.handle().pid();
        List<String> whole = new ArrayList<>(List.of(
                "nsenter", "--target=" + pid, "--mount", "--net", "--pid=/proc/" + pid + "/ns/pid_for_children", "--"));
        whole.addAll(command);
        return ChildProcess.start(command.get(0), Path.of("/"), Map.of(), whole);
    }

    /** Waits until a proxy at the default ports listens, and has a healthy node. */
    void awaitReady() {
        process.awaitLine(Pattern.compile("JSON-RPC at http://\\S+:8545,"), Unpacked.PATIENCE);
        await().until(() -> status("http://127.0.0.1:9545/health/ready") == 200);
    }

    /** Sends a call to the program. Returns the body of the answer. */
    String call(String url, String method, String params) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params);
        return String.join("\n", curl("-H", "content-type: application/json", "-d", body, url));
    }

    /** Returns the HTTP status of a page of the program; 0 if it cannot be reached. */
    int status(String url) {
        return Integer.parseInt(
                curl("-o", "/dev/null", "-w", "%{http_code}", url).get(0));
    }

    private List<String> curl(String... words) {
        List<String> command = new ArrayList<>(List.of(
                "nsenter", "--target=" + process.handle().pid(), "--net", "--", "curl", "-s", "--noproxy", "*"));
        command.addAll(List.of(words));
        try (ChildProcess run = ChildProcess.start("curl", Path.of("/"), Map.of(), command)) {
            run.awaitExit(Unpacked.PATIENCE);
            return run.out();
        }
    }

    @Override
    public void close() {
        // A program that changes its user does not end with the one that waits for it.
        process.handle().children().forEach(ProcessHandle::destroyForcibly);
        process.close();
    }
}
