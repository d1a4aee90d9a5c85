package io.weir.bench.load.work;

import io.weir.bench.load.report.Journal;
import io.weir.bench.load.report.Journal.Figure;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.ChildProgram;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.server.Workshop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time from the start of the process to its ready line and to its first answer, and the memory that it takes at rest. Runs with
 * {@code conf/weir.conf} as shipped but for its ports, on all processors: by {@code java -jar}, and by {@code bin/weir}. Files are in
 * the system's memory but for the first time. Confined to the run's thread.
 */
final class Start implements Workload {

    private static final Pattern READY = Pattern.compile("JSON-RPC at (http://[^,]+),");
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_chainId\",\"params\":[]}";
    private static final double MEGA = 1e6;

    private final HttpClient client = HttpClient.newHttpClient();

    @Override
    public String id() {
        return "start";
    }

    @Override
    public String title() {
        return "start to the ready line and to the first answer, conf/weir.conf as shipped, all processors; memory at rest";
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        Map<ServerName, List<String>> commands = new EnumMap<>(ServerName.class);
        for (ServerName name : List.of(ServerName.WEIR, ServerName.WEIR_INSTALLED)) {
            String missing = session.servers().missing(name);
            if (!missing.isEmpty()) {
                session.journal().skip(id() + ", " + name.title(), missing);
            } else if (session.wanted().contains(name)) {
                commands.put(name, session.workshop().pinning().nowhere(command(session.workshop(), name)));
            }
        }
        // The first one does not count: it brings the files into the system's memory, and bin/weir writes its archive
        // of classes.
        for (int turn = 0; turn <= session.pace().starts(); turn++) {
            for (Map.Entry<ServerName, List<String>> command : commands.entrySet()) {
                one(session, command.getKey(), command.getValue(), turn);
            }
        }
    }

    private static List<String> command(Workshop workshop, ServerName name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        Path plugins;
        if (name == ServerName.WEIR_INSTALLED) {
            command.addAll(workshop.install());
            plugins = workshop.file("installed/plugins");
        } else {
            command.add(Workshop.java());
            command.addAll(workshop.variants().flags());
            command.addAll(List.of("-jar", workshop.weirJar().toString()));
            plugins = workshop.checkout().resolve("plugins");
        }
        Path shipped = workshop.checkout().resolve("conf/weir.conf");
        String text =
                Files.readString(shipped) + "\nserver.port = 0\nadmin.port = 0\nplugins.path = [\"" + plugins + "\"]\n";
        command.addAll(List.of(
                "run",
                "--config",
                workshop.write("start-" + name.id() + ".conf", text).toString()));
        return command;
    }

    private void one(Session session, ServerName name, List<String> command, int turn)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (ChildProgram program =
                ChildProgram.awaitLine(command, READY, session.workshop().file("start.log"))) {
            double ready = (System.nanoTime() - start) / MEGA;
            double processor = program.figures().processorTime().toNanos() / MEGA;
            call(session, name, program.ready());
            double answered = (System.nanoTime() - start) / MEGA;
            if (turn == 0) {
                return;
            }
            Journal journal = session.journal();
            journal.add(new Figure(id(), name, Metric.MILLIS, turn, ready));
            journal.add(new Figure(id(), name, Metric.ANSWER_MILLIS, turn, answered));
            journal.add(new Figure(id(), name, Metric.START_PROCESSOR, turn, processor));
            if (turn <= session.pace().turns()) {
                program.isAliveAfter(session.pace().rest());
                double resident = program.figures().residentBytes() / MEGA;
                journal.add(new Figure(id(), name, Metric.RESIDENT, turn, resident));
            }
        }
    }

    private void call(Session session, ServerName name, String ready) throws IOException, InterruptedException {
        Matcher address = READY.matcher(ready);
        if (!address.find()) {
            throw new IllegalStateException("ready line: " + ready + " (expected: " + READY + ")");
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(address.group(1) + "/v3/demo"))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(CALL))
                .build();
        String answer =
                client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        if (!answer.contains("\"result\"")) {
            session.journal().problem(id(), name, "answered " + answer + " (expected: a result)");
        }
    }
}
