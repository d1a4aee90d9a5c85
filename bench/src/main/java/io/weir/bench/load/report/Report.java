package io.weir.bench.load.report;

import io.weir.bench.load.report.Journal.Figure;
import io.weir.bench.load.server.ServerName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a run down: {@code results.md}, {@code results.csv}, and plots. Pure but for the files. */
public final class Report {

    private final Journal journal;
    private final List<Goal> goals;

    /**
     * A report of a run.
     *
     * @param best as in {@link Goals#of}
     */
    public Report(Journal journal, boolean best) {
        this.journal = journal;
        this.goals = Goals.of(journal, best);
    }

    /** The goals. */
    public List<Goal> goals() {
        return goals;
    }

    /** Writes all files into a folder. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("results.csv"), csv());
        Files.writeString(folder.resolve("results.md"), markdown());
        Plots plots = new Plots(journal);
        Files.writeString(folder.resolve("throughput.svg"), plots.throughput());
        Files.writeString(folder.resolve("latency.svg"), plots.latency());
    }

    private String csv() {
        return journal.figures().stream()
                .map(figure -> String.join(
                        ",",
                        figure.workload(),
                        figure.server().id(),
                        '"' + figure.metric().unit() + '"',
                        Integer.toString(figure.turn()),
                        Double.toString(figure.value())))
                .collect(Collectors.joining("\n", "workload,server,metric,turn,value\n", "\n"));
    }

    private String markdown() {
        StringBuilder text = new StringBuilder("# A run of the comparison\n\n");
        journal.facts()
                .forEach((name, value) -> text.append("- ")
                        .append(name)
                        .append(": ")
                        .append(value)
                        .append('\n'));
        text.append("""

                Medians of all turns, with the lowest and the highest in brackets. A server of which less than 90 % of its
                processor was used, marked †, was held back by the driver or the node: it could have answered more.
                """);
        text.append("\n## What was to be reached\n\n| | found | to reach | |\n|---|---|---|---|\n");
        goals.forEach(goal -> text.append(goal.row()).append('\n'));
        text.append("\n![requests a second](throughput.svg)\n\n![latencies](latency.svg)\n");
        journal.titles().forEach((id, title) -> {
            text.append("\n## ").append(title).append("\n\n");
            table(id, text);
        });
        list(text, "Left out", journal.skipped());
        list(text, "Wrong, refused or missing answers", journal.problems());
        return text.toString();
    }

    private static void list(StringBuilder text, String title, List<String> lines) {
        text.append("\n## ").append(title).append("\n\n");
        lines.forEach(line -> text.append("- ").append(line).append('\n'));
        if (lines.isEmpty()) {
            text.append("none\n");
        }
    }

    private void table(String workload, StringBuilder text) {
        List<Figure> figures = journal.figures().stream()
                .filter(figure -> figure.workload().equals(workload))
                .toList();
        List<ServerName> servers = Arrays.stream(ServerName.values())
                .filter(server -> figures.stream().anyMatch(figure -> figure.server() == server))
                .toList();
        List<Metric> metrics = Arrays.stream(Metric.values())
                .filter(metric -> figures.stream().anyMatch(figure -> figure.metric() == metric))
                .toList();
        if (servers.isEmpty()) {
            text.append("not measured\n");
            return;
        }
        text.append("| |")
                .append(metrics.stream()
                        .map(metric -> " " + metric.unit() + " |")
                        .collect(Collectors.joining()))
                .append("\n|---|")
                .append("---|".repeat(metrics.size()))
                .append('\n');
        for (ServerName server : servers) {
            text.append("| ")
                    .append(server.title())
                    .append(heldBack(workload, server))
                    .append(" |");
            for (Metric metric : metrics) {
                text.append(' ')
                        .append(journal.spread(workload, server, metric).text(metric))
                        .append(" |");
            }
            text.append('\n');
        }
        PairedRatio ratio = PairedRatio.of(journal, workload, ServerName.WEIR, ServerName.WEIR_OTHER);
        if (ratio.isThere()) {
            text.append("\nRequests a second, ")
                    .append(ServerName.WEIR.title())
                    .append(" to ")
                    .append(ServerName.WEIR_OTHER.title())
                    .append(" in the same turn, median with its 95 % interval: ")
                    .append(ratio.text())
                    .append('\n');
        }
    }

    private String heldBack(String workload, ServerName server) {
        Spread processor = journal.spread(workload, server, Metric.SERVER_PROCESSOR);
        return processor.isThere() && processor.median() < 90 ? " †" : "";
    }
}
