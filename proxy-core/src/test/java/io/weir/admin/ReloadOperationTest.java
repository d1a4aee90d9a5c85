package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadOperationTest {

    private static final String AUTHORIZED = "Authorization: Bearer " + AdminBench.TOKEN;

    @TempDir
    Path folder;

    private AdminBench bench;

    @BeforeEach
    void open() {
        bench = new AdminBench(folder, AdminBench.TOKEN_SHA256);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void theAnswerAndStatusNameWhatChanged() {
        assertThat(bench.ask("GET", "/status")).doesNotContain("reload");
        assertThat(bench.ask("POST", "/reload", AUTHORIZED))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"outcome\" : \"applied\"", "\"needsRestart\" : [ \"server.port\" ]")
                .contains("\"removed\" : [ \"alice\" ]");
        assertThat(bench.ask("GET", "/status"))
                .contains("\"cause\" : \"operation\"", "\"at\" : \"2026-01-10T00:00:00Z\"")
                .contains("\"settings\" : [ \"networks.first.verify\" ]");
    }

    @Test
    void aRefusalHasItsProblemsAndStatusTheirNumber() {
        bench.reload.outcome = Reload.Outcome.REFUSED;
        bench.reload.problems = List.of("weir.conf:3:1: one", "weir.conf:4:1: other");
        assertThat(bench.ask("POST", "/reload", AUTHORIZED))
                .startsWith("HTTP/1.1 422 ")
                .contains("\"problems\" : [ \"weir.conf:3:1: one\", \"weir.conf:4:1: other\" ]");
        assertThat(bench.ask("GET", "/status"))
                .contains("\"outcome\" : \"refused\"", "\"problemCount\" : 2")
                .doesNotContain("weir.conf");
    }

    @Test
    void aReloadThatAShutdownPreventsIsUnavailable() {
        bench.reload.outcome = Reload.Outcome.ABANDONED;
        bench.reload.problems = List.of("reload: the proxy shuts down");
        assertThat(bench.ask("POST", "/reload", AUTHORIZED))
                .startsWith("HTTP/1.1 503 ")
                .contains("\"outcome\" : \"abandoned\"", "\"problems\" : [ \"reload: the proxy shuts down\" ]");
    }

    @Test
    void itNeedsTheTokenAndPost() {
        assertThat(bench.ask("POST", "/reload")).startsWith("HTTP/1.1 401 ");
        assertThat(bench.ask("GET", "/reload", AUTHORIZED))
                .startsWith("HTTP/1.1 405 ")
                .contains("Allow: POST");
        assertThat(bench.reload.last()).isNull();
    }
}
