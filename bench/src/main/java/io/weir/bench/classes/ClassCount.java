package io.weir.bench.classes;

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
import java.util.List;
import java.util.Map;

/**
 * Counts the project's classes that a small hit and a small miss execute in the built proxy, over HTTP, with a node behind it.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.classes.ClassCount [--list] [JAR]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. Each call is made several times on one warm connection. A class counts that all of
 * them enter, so that periodic work beside a call does not. Records count apart. {@code --list} prints the names too.
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

    /** Returns the classes of a built proxy that every hit enters, and those that every miss does. */
    static Map<String, Entered> of(Path checkout, Path jar) throws IOException, InterruptedException {
        int port = Ports.free();
        WeirVariants variants = WeirVariants.USUAL
                .withOtherFlags(List.of(EnteredClasses.flag(port)))
                .withOtherJar(jar.toAbsolutePath());
        Path folder = Files.createDirectories(checkout.resolve("bench/target/classes-of-a-call"));
        Workshop workshop = new Workshop(folder, checkout, new Pinning(false, 1), variants);
        try (Node node = Node.start(workshop, 1);
                RunningServer proxy = new Servers(workshop, node)
                        .start(ServerName.WEIR_OTHER, new Backing(node.ports(), new byte[0]));
                EnteredClasses entered = EnteredClasses.attach(port)) {
            return new ClassCount(entered, URI.create(proxy.http().url())).count();
        }
    }

    private Map<String, Entered> count() throws IOException, InterruptedException {
        Traffic hit = Calls.small();
        Traffic miss = Calls.fresh(0);
        for (int i = 0; i < WARM_CALLS; i++) {
            send(hit);
            send(miss);
        }
        return Map.of("hit", common(hit), "miss", common(miss));
    }

    private Entered common(Traffic traffic) throws IOException, InterruptedException {
        Entered common = entered.during(() -> send(traffic));
        for (int i = 1; i < REPETITIONS; i++) {
            common.retain(entered.during(() -> send(traffic)));
        }
        return common;
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
