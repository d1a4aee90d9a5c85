package io.weir.bench.load;

import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.BenchChain;
import io.weir.bench.load.report.Goal;
import io.weir.bench.load.report.Goals;
import io.weir.bench.load.report.Journal;
import io.weir.bench.load.report.Report;
import io.weir.bench.load.server.Node;
import io.weir.bench.load.server.Pinning;
import io.weir.bench.load.server.Workshop;
import io.weir.bench.load.work.Session;
import io.weir.bench.load.work.Workload;
import io.weir.bench.load.work.Workloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares this proxy with others end to end, in one run, in turns, on loopback, and writes a table, plots and every figure.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.load.Comparison [--full | --goals | --short] [--workloads a,b] [--servers a,b]
 *     [--turns N] [--seconds N] [--warm N] [--connections N] [--out FOLDER] [--weir-java "FLAGS"]
 *     [--other-java "FLAGS"] [--other-settings "LINES"] [--unpinned]
 * </pre>
 *
 * <p>From the root of a checkout that was built. The exit code is 0 if every answer was right and, in a short run, no ratio is an
 * order of magnitude off. It is 1 if not, and 2 for a wrong command line. See {@code bench/README.md}.
 */
public final class Comparison {

    private static final int MAX_AGAIN = 6;

    private final Options options;
    private final Journal journal = new Journal(System.out);

    /** A comparison as asked for. */
    public Comparison(Options options) {
        this.options = options;
    }

    /** Compares, and ends the process with the exit code. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Options options;
        try {
            options = Options.parse(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.exit(new Comparison(options).run() ? 0 : 1);
    }

    /** Returns the results of the run. */
    public Journal journal() {
        return journal;
    }

    /** Compares, and returns whether all was well. */
    public boolean run() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(options.checkout().resolve("bench/target/load"));
        Pinning pinning = Pinning.possible(options.pinned());
        pinning.holdThisProcess();
        Workshop workshop = new Workshop(folder, options.checkout(), pinning, options.variants());
        Machine.describe(journal, workshop, options);
        // A run that is cut keeps its finished turns.
        journal.afterTurns(this::write);
        BenchChain chain = new BenchChain();
        try (Node node = Node.start(workshop, Session.NODES)) {
            Session session = Session.of(
                    workshop,
                    node,
                    new Answers(chain),
                    journal,
                    options.pace(),
                    new Session.Asked(options.servers(), options.connections()));
            try (session) {
                measure(session, Workloads.all(chain, options.pace()));
            }
        }
        return written();
    }

    private void measure(Session session, List<Workload> all) throws IOException, InterruptedException {
        List<Workload> asked = all.stream()
                .filter(workload ->
                        options.workloads().isEmpty() || options.workloads().contains(workload.id()))
                .toList();
        run(session, asked);
        for (int again = 0; options.isShort() && again < MAX_AGAIN && !farOff().isEmpty(); again++) {
            // Cold code on a busy machine: by and by it is compiled.
            Set<String> far = farOff().stream().map(Goal::workload).collect(Collectors.toSet());
            run(
                    session,
                    asked.stream()
                            .filter(workload -> far.contains(workload.id()))
                            .toList());
        }
    }

    private void run(Session session, List<Workload> workloads) throws IOException, InterruptedException {
        for (Workload workload : workloads) {
            journal.begin(workload.id(), workload.title());
            workload.run(session);
        }
    }

    private List<Goal> farOff() {
        return Goals.of(journal, true).stream().filter(Goal::isFarOff).toList();
    }

    private void write() {
        try {
            new Report(journal, options.isShort()).write(options.out());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean written() {
        write();
        System.out.println("written: " + options.out().resolve("results.md"));
        List<Goal> far = options.isShort() ? farOff() : List.of();
        far.forEach(goal -> System.out.println("an order of magnitude off: " + goal));
        return journal.problems().isEmpty() && far.isEmpty();
    }
}
