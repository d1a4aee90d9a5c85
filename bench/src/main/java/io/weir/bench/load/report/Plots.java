package io.weir.bench.load.report;

import io.weir.bench.load.server.ServerName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Bars as SVG: medians, with a line from the lowest turn to the highest. Pure. */
final class Plots {

    private static final int LABELS = 210;
    private static final int BARS = 480;
    private static final int VALUES = 110;
    private static final int ROW = 22;
    private static final int HEADING = 34;

    private final Journal journal;

    Plots(Journal journal) {
        this.journal = journal;
    }

    /** Requests a second, each workload on its own scale. */
    String throughput() {
        Canvas canvas = new Canvas();
        journal.titles().forEach((id, title) -> group(canvas, id, title, Metric.REQUESTS));
        return canvas.svg("requests a second: longer is better");
    }

    /** The 50th and the 99th percentile at half load. */
    String latency() {
        Canvas canvas = new Canvas();
        journal.titles().forEach((id, title) -> {
            group(canvas, id, title + " – 50th percentile, µs", Metric.P50);
            group(canvas, id, title + " – 99th percentile, µs", Metric.P99);
        });
        return canvas.svg("latency at half of each server's own throughput: shorter is better");
    }

    private void group(Canvas canvas, String workload, String title, Metric metric) {
        List<ServerName> servers = new ArrayList<>();
        double most = 0;
        for (ServerName server : ServerName.values()) {
            Spread spread = journal.spread(workload, server, metric);
            if (spread.isThere()) {
                servers.add(server);
                most = Math.max(most, spread.highest());
            }
        }
        if (servers.isEmpty() || most <= 0) {
            return;
        }
        canvas.heading(title);
        for (ServerName server : servers) {
            canvas.bar(server, journal.spread(workload, server, metric), metric, BARS / most);
        }
    }

    /** Grows downwards. */
    private static final class Canvas {

        private final StringBuilder shapes = new StringBuilder();
        private int y = HEADING + 6;

        void heading(String title) {
            y += HEADING;
            text(8, y - 10, "font-weight=\"bold\"", title);
        }

        void bar(ServerName server, Spread spread, Metric metric, double scale) {
            int width = Math.max(1, (int) (spread.median() * scale));
            text(LABELS - 8, y + 15, "text-anchor=\"end\"", server.title());
            shape("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>"
                    .formatted(LABELS, y + 3, width, ROW - 6, server.isWeir() ? "#1f6f8b" : "#b9c3c9"));
            shape("<path d=\"M%d %dH%d\" stroke=\"#222\"/>"
                    .formatted(
                            LABELS + (int) (spread.lowest() * scale),
                            y + ROW / 2,
                            LABELS + Math.max(1, (int) (spread.highest() * scale))));
            text(LABELS + BARS + 10, y + 15, "", metric.text(spread.median()));
            y += ROW;
        }

        private void text(int x, int at, String attributes, String content) {
            shape("<text x=\"%d\" y=\"%d\" %s>%s</text>"
                    .formatted(x, at, attributes, content.replace("&", "&amp;").replace("<", "&lt;")));
        }

        private void shape(String element) {
            shapes.append("  ").append(element).append('\n');
        }

        String svg(String title) {
            int width = LABELS + BARS + VALUES;
            return String.format(
                            Locale.ROOT,
                            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" "
                                    + "font-family=\"sans-serif\" font-size=\"13\">%n"
                                    + "  <rect width=\"%1$d\" height=\"%2$d\" fill=\"#fff\"/>%n"
                                    + "  <text x=\"8\" y=\"24\" font-size=\"15\">%3$s</text>%n",
                            width,
                            y + 12,
                            title)
                    + shapes
                    + "</svg>\n";
        }
    }
}
