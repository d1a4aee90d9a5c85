package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The permission to purge results, and the results that are purged. */
class CachePurgeTest {

    private static final String AUTHORIZED = "Authorization: Bearer " + AdminBench.TOKEN;
    private static final String HASH = "0x" + "ab".repeat(32);

    @TempDir
    Path folder;

    private AdminBench bench;

    @BeforeEach
    void keepFourResults() {
        bench = new AdminBench(folder, AdminBench.TOKEN_SHA256);
        bench.keep("first", 7, HASH);
        bench.keep("first", 8, null);
        bench.keep("second", 7, null);
        bench.keep("second", 9, null);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private String purge(String query, String... lines) {
        StringBuilder answer = new StringBuilder(bench.ask("POST", "/cache/purge" + query, lines));
        await().until(() -> !answer.append(bench.sent()).isEmpty());
        return answer.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "?all=true, 4",
        "?network=first, 2",
        "?network=second&block=9, 1",
        "?network=first&block=0x7, 1",
        "?network=first&block=9, 0"
    })
    void onlyTheNamedResultsAreRemoved(String query, int removed) {
        assertThat(purge(query, AUTHORIZED))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\n{\"removed\":" + removed + "}\n");
        assertThat(bench.memory.store().entries()).isEqualTo(4 - removed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abab", "ABAB"})
    void aBlockIsNamedByItsHashInAnyCase(String digits) {
        assertThat(purge("?network=first&block=0x" + digits.repeat(16), AUTHORIZED))
                .contains("{\"removed\":1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?all=false",
                "?all=true&network=first",
                "?all=true&block=7",
                "?block=7",
                "?network=first&blocks=7",
                "?network=first&block=",
                "?network=first&block=-1",
                "?network=first&block=0xabc_",
                "?network=first&block=9999999999999999999",
                "?network=first&block=latest"
            })
    void aQueryThatIsNotUnderstoodRemovesNothing(String query) {
        assertThat(purge(query, AUTHORIZED)).startsWith("HTTP/1.1 400 ");
        assertThat(bench.memory.store().entries()).isEqualTo(4);
    }

    @Test
    void anUnknownNetworkIsReported() {
        assertThat(purge("?network=third", AUTHORIZED)).startsWith("HTTP/1.1 404 ");
        assertThat(bench.memory.store().entries()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: y",
                "Authorization: Bearer",
                "Authorization: Bearer demo2",
                "Authorization: Bearer Demo",
                "Authorization: Basic demo",
                "Authorization: demo"
            })
    void withoutTheTokenNothingIsRemoved(String line) {
        assertThat(purge("?all=true", line))
                .startsWith("HTTP/1.1 401 ")
                .containsIgnoringCase("www-authenticate: Bearer realm=\"weir\"");
        assertThat(bench.memory.store().entries()).isEqualTo(4);
    }

    @Test
    void theSchemeOfTheTokenIsReadInAnyCase() {
        assertThat(purge("?all=true", "Authorization: bEARER  " + AdminBench.TOKEN + " "))
                .contains("{\"removed\":4}");
    }

    @Test
    void aPurgeIsPosted() {
        assertThat(bench.ask("GET", "/cache/purge?all=true", AUTHORIZED))
                .startsWith("HTTP/1.1 405 ")
                .containsIgnoringCase("allow: POST\r\n");
        assertThat(bench.memory.store().entries()).isEqualTo(4);
    }

    @Test
    void aForeignPageMayNotPurgeEvenWithTheToken() {
        assertThat(purge("?all=true", AUTHORIZED, "Origin: https://foreign.example"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(bench.memory.store().entries()).isEqualTo(4);
    }

    @Test
    void withoutATokenInTheConfigurationThereIsNoPurge() {
        bench.close();
        bench = new AdminBench(folder.resolve("other"), null);

        assertThat(purge("?all=true", AUTHORIZED)).startsWith("HTTP/1.1 404 ");
    }
}
