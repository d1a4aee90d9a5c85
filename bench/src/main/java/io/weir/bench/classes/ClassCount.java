package io.weir.bench.classes;

import static java.util.Objects.requireNonNull;

import io.weir.bench.classes.EnteredClasses.Entered;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.Node;
import io.weir.bench.load.server.Pinning;
import io.weir.bench.load.server.Ports;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.server.Servers;
import io.weir.bench.load.server.WeirVariants;
import io.weir.bench.load.server.Workshop;
import io.weir.bench.load.traffic.Calls;
import io.weir.bench.load.traffic.Traffic;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the project's classes that are executed in the built proxy, with a node behind it. It counts those of a small hit and a small miss
 * over HTTP. It counts those from the announcement of a block by the node to its notification at a client, both over WebSocket.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.classes.ClassCount [--list] [JAR]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. Each call is made several times on one warm connection, and several blocks are announced. A
 * class counts that all of them enter, so that periodic work beside them does not. Records count apart. {@code --list} prints the names
 * too.
 */
public final class ClassCount {

    private static final int WARM_CALLS = 200;
    private static final int REPETITIONS = 9;

    private final EnteredClasses entered;
    private final URI target;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private long fresh;

    private ClassCount(EnteredClasses entered, URI target) {
        this.entered = entered;
        this.target = target;
    }

    /** Counts and prints. */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(args));
        boolean list = arguments.remove("--list");
        Path jar = Path.of(arguments.isEmpty() ? "proxy-core/target/weir.jar" : arguments.get(0));
        of(Path.of("").toAbsolutePath(), jar).forEach((call, entered) -> {
            System.out.println(call + ": " + entered.classes().size() + " classes, "
                    + entered.records().size() + " records");
            if (list) {
                entered.classes().forEach(name -> System.out.println("  " + name));
                entered.records().forEach(name -> System.out.println("  record " + name));
            }
        });
    }

    /** Returns the classes of a built proxy that every hit enters, those that every miss does, and those that every notification does. */
    static Map<String, Entered> of(Path checkout, Path jar) throws IOException, InterruptedException {
        int port = Ports.free();
        WeirVariants variants = WeirVariants.USUAL
                .withOtherFlags(List.of(EnteredClasses.flag(port)))
                .withOtherJar(jar.toAbsolutePath());
        Path folder = Files.createDirectories(checkout.resolve("bench/target/classes-of-a-call"));
        Workshop usual = new Workshop(folder, checkout, new Pinning(false, 1), variants);
        Map<String, Entered> counted = new LinkedHashMap<>();
        try (Node node = Node.start(usual, 1)) {
            try (RunningServer proxy = start(usual, node, node.ports());
                    EnteredClasses entered = EnteredClasses.attach(port)) {
                counted.putAll(new ClassCount(entered, URI.create(proxy.http().url())).count());
            }
            try (AnnouncedBlocks blocks = new AnnouncedBlocks()) {
                Workshop announced =
                        new Workshop(folder, checkout, usual.pinning(), variants.withOtherSettings(blocks.settings()));
                try (RunningServer proxy = start(announced, node, List.of(blocks.port()));
                        EnteredClasses entered = EnteredClasses.attach(port)) {
                    blocks.subscribe(requireNonNull(proxy.webSocket()));
                    counted.put("notification", common(() -> entered.until(blocks::announce)));
                }
            }
        }
        return counted;
    }

    private static RunningServer start(Workshop workshop, Node node, List<Integer> ports)
            throws IOException, InterruptedException {
        return new Servers(workshop, node).start(ServerName.WEIR_OTHER, new Backing(ports, new byte[0]));
    }

    private Map<String, Entered> count() throws IOException, InterruptedException {
        Traffic hit = Calls.small();
        Traffic miss = Calls.fresh(0);
        for (int i = 0; i < WARM_CALLS; i++) {
            send(hit);
            send(miss);
        }
        Map<String, Entered> counted = new LinkedHashMap<>();
        counted.put("hit", common(() -> entered.during(() -> send(hit))));
        counted.put("miss", common(() -> entered.during(() -> send(miss))));
        return counted;
    }

    private static Entered common(Recording recording) throws IOException, InterruptedException {
        Entered common = recording.run();
        for (int i = 1; i < REPETITIONS; i++) {
            common.retain(recording.run());
        }
        return common;
    }

    /** One recording of what is entered. */
    private interface Recording {
        Entered run() throws IOException, InterruptedException;
    }

    private void send(Traffic traffic) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(target)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofByteArray(traffic.body(fresh++)))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (!response.body().contains("\"result\"")) {
            throw new IOException("answer: " + response.body() + " (expected: a result)");
        }
    }
}
