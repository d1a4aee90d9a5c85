package io.weir.bench.load.server;

import io.weir.bench.load.Options;
import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.BenchChain;
import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.drive.OwnDriver;
import io.weir.bench.load.drive.Wrk;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.traffic.AnswerCheck;
import io.weir.bench.load.traffic.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flags of the JVM beside each other, under small misses: installed proxies take turns, and a row of a table is printed for each.
 * Arguments: the processors of the proxies, such as {@code 0} or {@code 0,1}; the number of turns; their length and the time of load
 * before them, in seconds; then the flags of each proxy as one argument. The driver and the node have processor 1. From the root of a
 * checkout that was built.
 */
public final class JavaFlags {

    private static final Pattern READY = Pattern.compile("JSON-RPC at http://127\\.0\\.0\\.1:(\\d+)");
    private static final int CONNECTIONS = 64;
    private static final double HALF = 0.5;
    private static final double PERCENTILE = 99;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MEGA = 1e6;
    private static final double LEAST_SHARE_OF_BYTES = 0.9;

    private final Workshop workshop;
    private final OwnDriver driver;
    private final AnswerCheck check;
    private final Duration turn;
    private int use;

    private JavaFlags(Workshop workshop, AnswerCheck check, OwnDriver driver, Duration turn) {
        this.workshop = workshop;
        this.check = check;
        this.driver = driver;
        this.turn = turn;
    }

    /** A proxy and its figures, one of each turn. */
    private record Measured(
            String flags,
            RunningServer server,
            List<Double> perSecond,
            List<Double> ratios,
            List<Double> micros,
            List<Double> late,
            List<Double> resident) {

        static Measured of(String flags, RunningServer server) {
            return new Measured(
                    flags,
                    server,
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>());
        }
    }

    /** Prints the table. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path checkout = Options.of(false, Path.of("")).checkout();
        Pinning pinning = Pinning.possible(true);
        pinning.holdThisProcess();
        Path folder = checkout.resolve("bench/target/flags");
        Workshop workshop = new Workshop(Files.createDirectories(folder), checkout, pinning, WeirVariants.USUAL);
        AnswerCheck check = new AnswerCheck(new Answers(new BenchChain())::result);
        int turns = Integer.parseInt(arguments[1]);
        Duration turn = Duration.ofSeconds(Integer.parseInt(arguments[2]));
        List<Measured> all = new ArrayList<>();
        try (Node node = Node.start(workshop, 1);
                OwnDriver driver = new OwnDriver(check)) {
            JavaFlags run = new JavaFlags(workshop, check, driver, turn);
            try {
                for (String flags : Arrays.asList(arguments).subList(4, arguments.length)) {
                    all.add(Measured.of(flags, run.start(node, arguments[0], flags)));
                }
                run.measure(all, turns, Duration.ofSeconds(Integer.parseInt(arguments[3])));
            } finally {
                all.forEach(one -> one.server().close());
            }
        }
        Measured first = all.get(0);
        System.out.println(
                "| flags | calls a second | by those of the first in the same turn | processor a call, µs | 99th percentile at half load, ms | "
                        + "most resident, MB |\n|---|---|---|---|---|---|");
        for (Measured one : all) {
            for (int i = 0; i < turns; i++) {
                one.ratios().add(one.perSecond().get(i) / first.perSecond().get(i));
            }
            System.out.printf(
                    "| `%s` | %s | %s | %s | %s | %s |%n",
                    one.flags(),
                    spread("%,.0f", one.perSecond()),
                    spread("%.2f", one.ratios()),
                    spread("%.1f", one.micros()),
                    spread("%.1f", one.late()),
                    spread("%.0f", one.resident()));
        }
    }

    private RunningServer start(Node node, String processors, String flags) throws IOException, InterruptedException {
        Workshop own = new Workshop(
                Files.createDirectories(workshop.file("installed-" + ++use)),
                workshop.checkout(),
                workshop.pinning(),
                WeirVariants.USUAL);
        List<String> installed = new ArrayList<>(List.of("taskset", "-c", processors));
        installed.addAll(own.install());
        installed.add(installed.indexOf("env") + 1, "WEIR_JAVA_OPTS=" + flags);
        List<String> classes = new ArrayList<>(installed);
        classes.add("classes");
        new ProcessBuilder(classes).inheritIO().start().waitFor();
        Path file = own.write("weir.conf", WeirConfiguration.text(node.ports(), true, List.of()));
        installed.addAll(List.of("run", "--config", file.toString()));
        ChildProgram program = ChildProgram.awaitLine(installed, READY, own.file("weir.log"));
        Matcher ready = READY.matcher(program.ready());
        if (!ready.find()) {
            throw new IOException(program.ready() + " (expected: " + READY + ")");
        }
        Target target = new Target(Integer.parseInt(ready.group(1)), "/v3/" + WeirConfiguration.KEY);
        return new RunningServer(ServerName.WEIR_INSTALLED, target, null, 0, program);
    }

    private void measure(List<Measured> all, int turns, Duration warm) throws IOException, InterruptedException {
        for (Measured one : all) {
            full(one, warm);
            one.server().program().resetPeak();
        }
        List<Measured> rotated = new ArrayList<>(all);
        for (int i = 0; i < turns; i++) {
            Collections.rotate(rotated, 1);
            for (Measured one : rotated) {
                ProcessFigures before = one.server().program().figures();
                Outcome outcome = full(one, turn);
                ProcessFigures after = one.server().program().figures();
                one.perSecond().add(outcome.perSecond());
                one.micros().add(after.microsPerRequest(before, outcome.requests()));
                one.resident().add(after.peakBytes() / MEGA);
            }
        }
        for (int i = 0; i < turns; i++) {
            Collections.rotate(rotated, 1);
            for (Measured one : rotated) {
                LoadPlan plan = LoadPlan.constant(CONNECTIONS, HALF * median(one.perSecond()), turn);
                Outcome outcome = driver.http(one.server().http(), Calls.fresh(++use), plan);
                one.late()
                        .add(Objects.requireNonNull(outcome.latencies()).getValueAtPercentile(PERCENTILE)
                                / NANOS_PER_MILLI);
            }
        }
    }

    private Outcome full(Measured one, Duration time) throws IOException {
        double bytes = check.expected(Calls.fresh(0).body(0)).length * LEAST_SHARE_OF_BYTES;
        Outcome outcome = new Wrk(workshop).load(one.server().http(), Calls.fresh(++use), CONNECTIONS, time, bytes);
        if (outcome.problems() > 0) {
            throw new IOException(one.flags() + ": " + outcome.firstProblem());
        }
        return outcome;
    }

    private static String spread(String format, List<Double> values) {
        return String.format(
                format + " (" + format + " to " + format + ")",
                median(values),
                Collections.min(values),
                Collections.max(values));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
