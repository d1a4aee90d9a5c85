package io.weir.bench.load.report;

import static java.nio.file.Files.readString;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.bench.load.report.Journal.Figure;
import io.weir.bench.load.server.ServerName;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    private final Journal journal = new Journal(new PrintStream(OutputStream.nullOutputStream()));

    @Test
    void aRatioIsWorkedOutFromMedians() {
        requests(ServerName.WEIR, 100, 300, 220);
        requests(ServerName.NGINX_CACHE, 100, 90, 500);

        Goal goal = goal("small hit / nginx proxy_cache", false);

        assertThat(goal.found()).isEqualTo(2.2);
        assertThat(goal.isReached()).isTrue();
        assertThat(goal("small hit / nginx proxy_cache", true).found()).isEqualTo(3.0);
    }

    @Test
    void whatIsMissedIsFarOffOnlyBeyondAnOrderOfMagnitude() {
        requests(ServerName.WEIR, 25);
        requests(ServerName.NGINX_CACHE, 100);
        requests(ServerName.BARE, 500);

        assertThat(goal("small hit / nginx proxy_cache", false).isReached()).isFalse();
        assertThat(goal("small hit / nginx proxy_cache", false).isFarOff()).isFalse();
        assertThat(goal("small hit / bare Netty server", false).isFarOff()).isTrue();
    }

    @Test
    void whatWasNotMeasuredIsNeitherReachedNorFarOff() {
        Goal goal = goal("mixed / eRPC", false);

        assertThat(goal.isReached()).isFalse();
        assertThat(goal.isFarOff()).isFalse();
        assertThat(goal.row()).contains("not measured");
    }

    @Test
    void faultyNodesMayDoubleTheLatencyOfTheSameRunsHealthyOnes() {
        figures("faulty", Metric.HEALTHY_P99, 100, 300, 200);
        figures("faulty", Metric.P99, 350, 410, 420);
        figures("faulty", Metric.NODE_CALLS_PER_CALL, 1.02, 1.04, 1.09);

        Goal latency = goal("one slow and one failing node: 99th percentile / with healthy nodes", false);
        Goal calls = goal("one slow and one failing node: node calls per call", false);

        assertThat(latency.found()).isEqualTo(2.05);
        assertThat(latency.row()).contains("**not reached**");
        assertThat(calls.found()).isEqualTo(1.04);
        assertThat(calls.isReached()).isTrue();
    }

    @Test
    void theFilesHoldMediansWithSpreadAndThePlotsAreXml(@TempDir Path folder) throws Exception {
        journal.begin("small-hit", "small hit & more");
        requests(ServerName.WEIR, 1000, 1500, 1200);
        journal.skip("eRPC", "not there");
        journal.problem("small-hit", ServerName.WEIR, "one answer");

        new Report(journal, false).write(folder);

        assertThat(readString(folder.resolve("results.md")))
                .contains("| Weir | 1,200 (1,000–1,500) |", "- eRPC: not there", "- small-hit, Weir: one answer");
        assertThat(readString(folder.resolve("results.csv"))).contains("small-hit,weir,\"requests/s\",2,1500.0\n");
        for (String plot : new String[] {"throughput.svg", "latency.svg"}) {
            var document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(folder.resolve(plot).toFile());
            assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        }
        assertThat(readString(folder.resolve("throughput.svg"))).contains(">1,200<", "small hit &amp; more");
    }

    @Test
    void eachEndedTurnIsTold() {
        List<Integer> figures = new ArrayList<>();
        journal.afterTurns(() -> figures.add(journal.figures().size()));

        requests(ServerName.WEIR, 100, 200);
        requests(ServerName.NGINX_CACHE, 100);

        assertThat(figures).containsExactly(1, 2);
    }

    @Test
    void whatThisProxyAddsIsComparedWithWhatNginxAdds() {
        journal.add(new Figure("small-miss", ServerName.WEIR_UNBATCHED, Metric.P50, 1, 140));
        journal.add(new Figure("small-miss", ServerName.NGINX_PASS, Metric.P50, 1, 150));

        Goal goal =
                goal("small miss, batching off: added at the 50th percentile, half load, less what nginx adds", false);
        assertThat(goal.found()).isEqualTo(-10);
        assertThat(goal.isReached()).isTrue();
    }

    @Test
    void twoBuildsAreComparedTurnByTurn(@TempDir Path folder) throws Exception {
        journal.begin("small-hit", "small hit");
        requests(ServerName.WEIR, 110, 55, 22, 100, 33, 11, 130);
        requests(ServerName.WEIR_OTHER, 100, 50, 20, 100, 30, 10, 100);

        new Report(journal, false).write(folder);

        assertThat(readString(folder.resolve("results.md")))
                .contains("in the same turn, median with its 95 % interval: 1.100 (1.000–1.300), 7 turns");
    }

    @Test
    void aWorkloadThatRanAgainIsComparedByItsLastRun(@TempDir Path folder) throws Exception {
        journal.begin("small-hit", "small hit");
        requests(ServerName.WEIR, 1, 1, 1, 1, 1, 1);
        requests(ServerName.WEIR, 20, 20, 20, 20, 20, 20);
        requests(ServerName.WEIR_OTHER, 10, 10, 10, 10, 10, 10);

        new Report(journal, false).write(folder);

        assertThat(readString(folder.resolve("results.md"))).contains(": 2.000 (2.000–2.000), 6 turns");
    }

    @Test
    void fewTurnsShowNoInterval(@TempDir Path folder) throws Exception {
        journal.begin("small-hit", "small hit");
        requests(ServerName.WEIR, 1, 2, 3, 4, 5);
        requests(ServerName.WEIR_OTHER, 1, 2, 3, 4, 5);

        new Report(journal, false).write(folder);

        assertThat(readString(folder.resolve("results.md"))).doesNotContain("in the same turn");
    }

    private void requests(ServerName server, double... values) {
        for (int i = 0; i < values.length; i++) {
            journal.add(new Figure("small-hit", server, Metric.REQUESTS, i + 1, values[i]));
        }
    }

    private void figures(String workload, Metric metric, double... values) {
        for (int i = 0; i < values.length; i++) {
            journal.add(new Figure(workload, ServerName.WEIR, metric, i + 1, values[i]));
        }
    }

    private Goal goal(String what, boolean best) {
        return Goals.of(journal, best).stream()
                .filter(goal -> goal.what().equals(what))
                .findFirst()
                .orElseThrow();
    }
}
