package io.weir.bench.load.report;

import io.weir.bench.load.server.ServerName;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that a run finds, in order. Confined to the run's thread. */
public final class Journal {

    private final Map<String, String> facts = new LinkedHashMap<>();
    private final Map<String, String> titles = new LinkedHashMap<>();
    private final List<Figure> figures = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final PrintStream out;
    private Runnable turnEnded = () -> {};

    /**
     * An empty journal.
     *
     * @param out told of everything as it is noted
     */
    public Journal(PrintStream out) {
        this.out = out;
    }

    /** Sets what runs after each turn of a server, between two loads. */
    public void afterTurns(Runnable listener) {
        turnEnded = listener;
    }

    /**
     * One figure of one turn.
     *
     * @param workload its id
     * @param turn counted from 1
     */
    public record Figure(String workload, ServerName server, Metric metric, int turn, double value) {}

    /** Notes what was true of the whole run. */
    public void fact(String name, String value) {
        facts.put(name, value);
    }

    /** Begins a workload. */
    public void begin(String workload, String title) {
        titles.put(workload, title);
        out.println("== " + title);
    }

    /** Notes a figure. */
    public void add(Figure figure) {
        Figure last = figures.isEmpty() ? figure : figures.get(figures.size() - 1);
        if (last.turn() != figure.turn() || last.server() != figure.server()) {
            turnEnded.run();
        }
        figures.add(figure);
        out.printf(
                "%-16s %-20s turn %d  %-24s %s%n",
                figure.workload(),
                figure.server().title(),
                figure.turn(),
                figure.metric().unit(),
                figure.metric().text(figure.value()));
    }

    /** Notes what is not measured, and why. */
    public void skip(String what, String reason) {
        String line = what + ": " + reason;
        if (!skipped.contains(line)) {
            skipped.add(line);
            out.println("skipped: " + line);
        }
    }

    /** Notes that something was answered wrongly or not at all. */
    public void problem(String workload, ServerName server, String words) {
        String line = workload + ", " + server.title() + ": " + words;
        problems.add(line);
        out.println("PROBLEM: " + line);
    }

    /** The facts of the whole run. */
    public Map<String, String> facts() {
        return facts;
    }

    /** The workloads that were begun, by id. */
    public Map<String, String> titles() {
        return titles;
    }

    /** All figures. */
    public List<Figure> figures() {
        return figures;
    }

    /** The omitted parts. */
    public List<String> skipped() {
        return skipped;
    }

    /** The failures. */
    public List<String> problems() {
        return problems;
    }

    /** The values of one metric, turn by turn. */
    public Spread spread(String workload, ServerName server, Metric metric) {
        return Spread.of(figures.stream()
                .filter(figure ->
                        figure.workload().equals(workload) && figure.server() == server && figure.metric() == metric)
                .mapToDouble(Figure::value)
                .toArray());
    }
}
