package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.pipeline.HandPool;
import io.weir.testing.ThreadLog;
import io.weir.upstream.UpstreamStatus.Health;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator may change at a node while the proxy runs. */
class UpstreamOperationTest {

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

    private String operate(String query) {
        return bench.ask("POST", "/upstream" + query, AUTHORIZED);
    }

    @Test
    void aNodeIsDrainedAndEnabledAndStatusShowsIt() {
        assertThat(operate("?network=first&upstream=a&drain=true"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("{\"upstream\":\"a\",\"drained\":true,\"weight\":1,\"networkUsable\":true}\n");
        assertThat(bench.first.a.status().drained()).isTrue();
        assertThat(bench.first.b.status().drained()).isFalse();
        assertThat(bench.second.a.status().drained()).isFalse();
        assertThat(bench.ask("GET", "/status")).containsOnlyOnce("\"drained\" : true");

        assertThat(operate("?network=first&upstream=a&drain=false")).contains("\"drained\":false");
        assertThat(bench.first.a.status().drained()).isFalse();
        assertThat(bench.ask("GET", "/status")).doesNotContain("drained");
    }

    @Test
    void statusShowsUntilWhenANodeIsEjected() {
        assertThat(bench.ask("GET", "/status")).doesNotContain("outUntil");
        bench.first.a.health = Health.EJECTED;
        bench.first.a.heldMillis = 90_000;
        assertThat(bench.ask("GET", "/status"))
                .containsOnlyOnce("\"health\" : \"ejected\"")
                .containsOnlyOnce("\"outUntil\" : \"2026-01-10T00:01:30Z\"");
    }

    @Test
    void aWeightIsSetAndStatusShowsTheConfiguredOne() {
        assertThat(operate("?network=first&upstream=b&weight=7&drain=true")).contains("\"drained\":true,\"weight\":7");
        assertThat(bench.ask("GET", "/status")).contains("\"weight\" : 7").containsOnlyOnce("\"configuredWeight\" : 1");

        assertThat(operate("?network=first&upstream=b&weight=configured")).contains("\"drained\":true,\"weight\":1");
        assertThat(bench.ask("GET", "/status")).doesNotContain("configuredWeight");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?network=first&upstream=a",
                "?network=first&drain=true",
                "?upstream=a&drain=true",
                "?network=first&upstream=a&drain=yes",
                "?network=first&upstream=a&weight=0",
                "?network=first&upstream=a&weight=1000001",
                "?network=first&upstream=a&weight=-1&drain=true",
                "?network=first&upstream=a&drain=true&all=true",
                "?network=first&upstream=a&drain=true&keep=maybe",
                "?network=first&upstream=a&drain=true&by=%3Cscript%3E",
                "?network=first&upstream=a&keep=true"
            })
    void whatIsNotUnderstoodChangesNothing(String query) {
        assertThat(operate(query)).startsWith("HTTP/1.1 400 ").contains("(expected: network=<name>&upstream=<name>");
        assertThat(bench.first.a.status().drained()).isFalse();
        assertThat(bench.first.a.status().weight()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"?network=third&upstream=a&drain=true, network", "?network=first&upstream=c&drain=true, upstream"})
    void whatIsNotThereIsNamed(String query, String what) {
        assertThat(operate(query)).startsWith("HTTP/1.1 404 ").contains(what + ": unknown");
    }

    @Test
    void withoutTheTokenNothingIsDone() {
        String target = "/upstream?network=first&upstream=a&drain=true";
        assertThat(bench.ask("POST", target)).startsWith("HTTP/1.1 401 ");
        try (ThreadLog log = new ThreadLog("io.weir.admin")) {
            assertThat(bench.ask("POST", target, "Authorization: Bearer wrong"))
                    .as("at once, so that tokens can be guessed")
                    .isEmpty();
            assertThat(bench.sentAfter(500)).startsWith("HTTP/1.1 401 ");
            assertThat(log.lines()).singleElement().asString().contains("a wrong token from", "/upstream");
        }
        assertThat(bench.ask("GET", target, AUTHORIZED)).startsWith("HTTP/1.1 405 ");
        assertThat(bench.first.a.status().drained()).isFalse();
    }

    @Test
    void withoutAConfiguredTokenThereIsNoOperation() {
        try (AdminBench closed = new AdminBench(folder, null)) {
            assertThat(closed.ask("POST", "/upstream?network=first&upstream=a&drain=true", AUTHORIZED))
                    .startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void theChangesInForceAreListedWithTheirAuthors() {
        assertThat(bench.ask("GET", "/changes", AUTHORIZED))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("[]\n");
        operate("?network=first&upstream=b&weight=7&drain=true&by=alice%20b");
        bench.pass(Duration.ofMinutes(5));
        operate("?network=first&upstream=a&weight=3&keep=false");
        assertThat(bench.ask("GET", "/changes", AUTHORIZED))
                .endsWith(
                        "[{\"network\":\"first\",\"upstream\":\"a\",\"setting\":\"weight\",\"value\":3,\"configured\":1,"
                                + "\"keep\":false,\"since\":\"2026-01-10T00:05:00Z\",\"address\":\"192.0.2.7\"},"
                                + "{\"network\":\"first\",\"upstream\":\"b\",\"setting\":\"drained\",\"value\":true,\"configured\":false,"
                                + "\"keep\":true,\"by\":\"alice b\",\"since\":\"2026-01-10T00:00:00Z\",\"address\":\"192.0.2.7\"},"
                                + "{\"network\":\"first\",\"upstream\":\"b\",\"setting\":\"weight\",\"value\":7,\"configured\":1,"
                                + "\"keep\":true,\"by\":\"alice b\",\"since\":\"2026-01-10T00:00:00Z\",\"address\":\"192.0.2.7\"}]\n");
        assertThat(bench.ask("GET", "/status"))
                .containsOnlyOnce("\"setting\" : \"drained\"")
                .contains("\"by\" : \"alice b\"")
                .doesNotContain("192.0.2.7");
        operate("?network=first&upstream=b&weight=configured&drain=false");
        operate("?network=first&upstream=a&weight=1");
        assertThat(bench.ask("GET", "/changes", AUTHORIZED)).endsWith("[]\n");
        assertThat(bench.ask("GET", "/status")).doesNotContain("changes");
    }

    @Test
    void theListNeedsTheTokenAndGet() {
        assertThat(bench.ask("GET", "/changes")).startsWith("HTTP/1.1 401 ");
        assertThat(bench.ask("POST", "/changes", AUTHORIZED))
                .startsWith("HTTP/1.1 405 ")
                .contains("GET, HEAD");
        try (AdminBench closed = new AdminBench(folder, null)) {
            assertThat(closed.ask("GET", "/changes", AUTHORIZED)).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void keptChangesAreInForceAtTheNextGenerationAndOthersAreDropped() {
        operate("?network=first&upstream=a&drain=true");
        operate("?network=first&upstream=b&weight=7");
        operate("?network=second&upstream=a&drain=true&weight=9&keep=false");
        HandPool first = new HandPool();
        HandPool second = new HandPool();
        bench.publish(first, second);
        assertThat(first.a.status().drained()).isTrue();
        assertThat(first.b.status().weight()).isEqualTo(7);
        assertThat(second.a.status().drained()).isFalse();
        assertThat(second.a.status().weight()).isEqualTo(1);
        assertThat(bench.ask("GET", "/changes", AUTHORIZED))
                .contains("\"first\",\"upstream\":\"a\"", "\"first\",\"upstream\":\"b\"")
                .doesNotContain("second");
        operate("?network=first&upstream=a&drain=false");
        assertThat(first.a.status().drained()).isFalse();
        assertThat(bench.first.a.status().drained()).isTrue();
    }

    @Test
    void aNodeThatBothGenerationsShareGetsItsConfiguredValuesBack() {
        operate("?network=first&upstream=a&drain=true&weight=7&keep=false");
        bench.publish(bench.first, bench.second);
        assertThat(bench.first.a.status().drained()).isFalse();
        assertThat(bench.first.a.status().weight()).isEqualTo(1);
    }

    @Test
    void aChangeThatTheNextConfigurationHasTooIsNoneAnyMore() {
        operate("?network=first&upstream=b&weight=7");
        bench.publish(new HandPool(), new HandPool(), "upstreams.b.weight = 7");
        assertThat(bench.ask("GET", "/changes", AUTHORIZED)).endsWith("[]\n");
    }

    @Test
    void aChangeOfANodeThatIsGoneIsForgotten() {
        operate("?network=first&upstream=b&weight=7");
        HandPool smaller = new HandPool();
        smaller.nodes.remove(smaller.b);
        bench.publish(smaller, new HandPool());
        bench.publish(new HandPool(), new HandPool());
        assertThat(bench.ask("GET", "/changes", AUTHORIZED)).endsWith("[]\n");
    }
}
