package io.weir.bench.load.work;

import io.weir.bench.load.report.Journal.Figure;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.ChildProgram;
import io.weir.bench.load.server.ProcessFigures;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.server.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The time from the start of the process to its ready line, and the memory that it then takes. Runs with {@code conf/weir.conf}
 * as shipped but for its ports, on all processors. The jar is in the system's memory but for the first time.
 */
final class Start implements Workload {

    private static final Pattern READY = Pattern.compile("JSON-RPC at http://");
    private static final Duration REST = Duration.ofSeconds(2);
    private static final double MEGA = 1e6;

    @Override
    public String id() {
        return "start";
    }

    @Override
    public String title() {
        return "start to the ready line, conf/weir.conf as shipped, all processors; memory two seconds later";
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        Workshop workshop = session.workshop();
        if (!session.wanted().contains(ServerName.WEIR) || !Files.isRegularFile(workshop.weirJar())) {
            session.journal().skip(id(), session.servers().missing(ServerName.WEIR));
            return;
        }
        Path home = workshop.file("start");
        Path configuration = home.resolve("conf/weir.conf");
        Files.createDirectories(configuration.getParent());
        Files.writeString(
                configuration,
                Files.readString(workshop.checkout().resolve("conf/weir.conf"))
                        + "\nserver.port = 0\nadmin.port = 0\nplugins.path = [\""
                        + workshop.checkout().resolve("plugins")
                        + "\"]\n");
        // As operators start it: with no argument at all, from where its configuration is.
        List<String> command = new ArrayList<>(List.of("env", "--chdir=" + home, Workshop.java()));
        command.addAll(workshop.variants().flags());
        command.addAll(List.of("-jar", workshop.weirJar().toString()));
        // The first one does not count: it brings the jar into the system's memory.
        for (int turn = 0; turn <= session.pace().starts(); turn++) {
            one(session, workshop.pinning().nowhere(command), turn);
        }
    }

    private void one(Session session, List<String> command, int turn) throws IOException {
        long start = System.nanoTime();
        try (ChildProgram program =
                ChildProgram.awaitLine(command, READY, session.workshop().file("start.log"))) {
            double millis = (System.nanoTime() - start) / MEGA;
            if (turn > 0) {
                session.journal().add(new Figure(id(), ServerName.WEIR, Metric.MILLIS, turn, millis));
                program.isAliveAfter(REST);
                ProcessFigures figures = program.figures();
                session.journal()
                        .add(new Figure(id(), ServerName.WEIR, Metric.RESIDENT, turn, figures.residentBytes() / MEGA));
            }
        }
    }
}
