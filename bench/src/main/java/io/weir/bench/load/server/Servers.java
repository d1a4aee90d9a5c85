package io.weir.bench.load.server;

import io.weir.bench.load.node.ConstantMain;
import io.weir.bench.load.node.PassingMain;
import io.weir.bench.load.server.RunningServer.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Starts what is compared, each with a configuration written for it. Confined to the run's thread. */
public final class Servers {

    private static final Pattern WEIR_READY =
            Pattern.compile("JSON-RPC at http://127\\.0\\.0\\.1:(\\d+), admin at http://127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern CONSTANT_READY = Pattern.compile("^constant: (\\d+) (\\d+)");
    private static final String PATH = "/v3/" + WeirConfiguration.KEY;

    private final Workshop workshop;
    private final Node node;
    private int started;

    /**
     * Starts servers in a workshop.
     *
     * @param node what {@link ServerName#DIRECT} is
     */
    public Servers(Workshop workshop, Node node) {
        this.workshop = workshop;
        this.node = node;
    }

    /** Why a server cannot be started here; empty where it can. */
    public String missing(ServerName name) {
        return switch (name) {
            case NGINX_PASS, NGINX_CACHE -> reason(Tool.NGINX);
            case HAPROXY -> reason(Tool.HAPROXY);
            case ERPC -> reason(Tool.ERPC);
            case WEIR, WEIR_UNBATCHED, WEIR_OTHER ->
                Files.isRegularFile(workshop.weirJar(name))
                        ? ""
                        : workshop.weirJar(name) + " is not there (mvn -q -DskipTests package)";
            case WEIR_INSTALLED -> distribution();
            case BARE, NETTY_PASS, DIRECT -> "";
        };
    }

    private String distribution() {
        try {
            return workshop.distribution() == null ? "no archive (mvn -q -DskipTests package)" : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String reason(Tool tool) {
        return tool.isThere() ? "" : tool.missing();
    }

    /** Starts one. It may not answer yet. */
    public RunningServer start(ServerName name, Backing backing) throws IOException, InterruptedException {
        started++;
        return switch (name) {
            case WEIR, WEIR_UNBATCHED, WEIR_OTHER, WEIR_INSTALLED -> weir(name, backing);
            case NGINX_PASS, NGINX_CACHE -> nginx(name, backing);
            case HAPROXY -> haproxy(backing);
            case ERPC -> erpc(backing);
            case BARE -> {
                Path file = workshop.file(label(name, ".json"));
                Files.write(file, backing.constant());
                yield netty(name, ConstantMain.class, file.toString());
            }
            case NETTY_PASS ->
                netty(name, PassingMain.class, backing.nodePorts().get(0).toString());
            case DIRECT ->
                new RunningServer(name, new Target(backing.nodePorts().get(0), PATH), null, 0, node.program());
        };
    }

    private RunningServer weir(ServerName name, Backing backing) throws IOException, InterruptedException {
        Path file = workshop.write(
                label(name, ".conf"),
                WeirConfiguration.text(
                        backing.nodePorts(),
                        name != ServerName.WEIR_UNBATCHED,
                        workshop.variants().settings(name)));
        List<String> command = new ArrayList<>();
        if (name == ServerName.WEIR_INSTALLED) {
            command.addAll(workshop.install());
        } else {
            command.add(Workshop.java());
            command.addAll(workshop.variants().flags(name));
            command.addAll(List.of("-jar", workshop.weirJar(name).toString()));
        }
        command.addAll(List.of("run", "--config", file.toString()));
        ChildProgram program = ChildProgram.awaitLine(
                workshop.pinning().server(command), WEIR_READY, workshop.file(label(name, ".log")));
        Matcher ports = WEIR_READY.matcher(program.ready());
        if (!ports.find()) {
            throw new IllegalStateException("ready line: " + program.ready() + " (expected: " + WEIR_READY + ")");
        }
        int port = Integer.parseInt(ports.group(1));
        return new RunningServer(
                name,
                new Target(port, PATH),
                new Target(port, "/ws" + PATH),
                Integer.parseInt(ports.group(2)),
                program);
    }

    private RunningServer nginx(ServerName name, Backing backing) throws IOException {
        int port = Ports.free();
        Path folder = Files.createDirectories(fast().resolve(label(name, "")));
        Path file = workshop.write(
                label(name, ".conf"),
                NginxConfiguration.text(port, backing.nodePorts(), name == ServerName.NGINX_CACHE, folder));
        return passing(name, port, PATH, List.of(Tool.NGINX.path(), "-e", "stderr", "-c", file.toString()));
    }

    /** A folder in memory where there is one: nginx keeps its answers in files. */
    private Path fast() throws IOException {
        Path memory = Path.of("/dev/shm");
        if (!Files.isWritable(memory)) {
            return workshop.folder();
        }
        Path folder = Files.createTempDirectory(memory, "weir-bench");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        return folder;
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        } catch (IOException expected) {
            // It is in memory, and goes with the machine.
        }
    }

    private RunningServer haproxy(Backing backing) throws IOException {
        int port = Ports.free();
        Path file = workshop.write(
                label(ServerName.HAPROXY, ".conf"), PassingConfiguration.haproxy(port, backing.nodePorts()));
        return passing(ServerName.HAPROXY, port, PATH, List.of(Tool.HAPROXY.path(), "-db", "-f", file.toString()));
    }

    private RunningServer erpc(Backing backing) throws IOException {
        int port = Ports.free();
        Path file =
                workshop.write(label(ServerName.ERPC, ".yaml"), PassingConfiguration.erpc(port, backing.nodePorts()));
        List<String> command = List.of(Tool.ERPC.path(), "start", "--config", file.toString());
        return passing(ServerName.ERPC, port, "/main/evm/1", command);
    }

    private RunningServer passing(ServerName name, int port, String path, List<String> command) throws IOException {
        ChildProgram program =
                ChildProgram.start(workshop.pinning().server(command), workshop.file(label(name, ".log")));
        return new RunningServer(name, new Target(port, path), null, 0, program);
    }

    private RunningServer netty(ServerName name, Class<?> main, String argument) throws IOException {
        ChildProgram program = ChildProgram.awaitLine(
                workshop.pinning().server(workshop.java(main, argument)),
                CONSTANT_READY,
                workshop.file(label(name, ".log")));
        int[] ports = Arrays.stream(
                        program.ready().substring("constant: ".length()).split(" "))
                .mapToInt(Integer::parseInt)
                .toArray();
        return new RunningServer(name, new Target(ports[0], "/"), new Target(ports[1], "/"), 0, program);
    }

    private String label(ServerName name, String suffix) {
        return started + "-" + name.id() + suffix;
    }
}
