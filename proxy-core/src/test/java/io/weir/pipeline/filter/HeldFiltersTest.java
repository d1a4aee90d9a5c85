package io.weir.pipeline.filter;

import static io.weir.pipeline.HandNode.error;
import static io.weir.pipeline.HandNode.result;
import static io.weir.pipeline.HandNode.timeout;
import static io.weir.pipeline.HandNode.unreachable;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import io.weir.config.NetworkConfig.FilterConfig;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.MethodRole;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.Stage;
import io.weir.upstream.UpstreamStatus.Health;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeldFiltersTest {

    private static final String OVER_KEY = "-32005 too many filters of this key are open (expected: at most 3)";

    private final HandPool pool = new HandPool();
    private final AtomicLong nanos = new AtomicLong();
    private final Map<MethodRole, Stage> stages = stages(4, 3);

    private Map<MethodRole, Stage> stages(int max, int maxPerKey) {
        FilterMeters meters = new FilterMeters(pool.meters(), "net");
        FilterTable table =
                new FilterTable(max, new FilterConfig(maxPerKey), meters, Duration.ofMinutes(1), nanos::get);
        meters.show(table::size);
        return new HeldFilters(table, pool, pool.forwarding()).stages();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_newFilter", "eth_newBlockFilter", "eth_newPendingTransactionFilter"})
    void aClientGetsAnIdOfTheProxysOwn(String method) {
        pool.a.answering(result("\"0x1\""));
        assertThat(text("k", method, "[]")).matches("\"0x[0-9a-f]{20,32}\"");
        assertThat(pool.a.texts()).containsExactly(method + "[]");
        assertThat(open()).isEqualTo(1);
    }

    @Test
    void callsGoToTheNodeThatHoldsTheFilterUnderTheNodesOwnId() {
        String atA = made("k", "\"0x1\"");
        Collections.swap(pool.nodes, 0, 1);
        pool.b.answering(result("\"0x1\""));
        String atB = unquoted(text("k", "eth_newBlockFilter", "[]"));
        pool.a.answering(result("[\"a\"]"));
        pool.b.answering(result("[\"b\"]"));

        assertThat(text("k", "eth_getFilterChanges", "[ \"" + atA + "\" ]")).isEqualTo("[\"a\"]");
        assertThat(text("k", "eth_getFilterLogs", "[\"" + atB + "\"]")).isEqualTo("[\"b\"]");
        assertThat(pool.a.texts()).endsWith("eth_getFilterChanges[ \"0x1\" ]");
        assertThat(pool.b.texts()).endsWith("eth_getFilterLogs[\"0x1\"]");
    }

    @Test
    void theIdOfAnotherKeyIsAsUnknown() {
        String id = made("k", "\"0x1\"");
        pool.a.answering(result("[]"));

        assertThat(text("other", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("-32000 filter not found");
        assertThat(text("other", "eth_uninstallFilter", "[\"" + id + "\"]")).isEqualTo("false");
        assertThat(pool.a.asked).hasSize(1);
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("[]");
    }

    @ParameterizedTest
    @EnumSource(
            value = Health.class,
            names = {"DOWN", "WRONG_CHAIN"})
    void aFilterIsLostWithItsNodeAndStaysLost(Health health) {
        String id = made("k", "\"0x1\"");
        pool.a.health = health;
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("-32000 filter not found");

        pool.a.health = Health.HEALTHY;
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("-32000 filter not found");
        assertThat(pool.a.asked).hasSize(1);
        assertThat(pool.b.asked).isEmpty();
        assertThat(pool.counter("filters_ended", "lost")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Health.class,
            names = {"LAGGING", "SYNCING"})
    void aNodeThatIsBehindStillHasItsFilters(Health health) {
        String id = made("k", "\"0x1\"");
        pool.a.health = health;
        pool.a.answering(result("[]"));
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource({
        "-32000, filter not found",
        "-32000, Filter not found",
        "-32602, filter not found",
        "-32000, Filter with id: 1 does not exist.",
        "-32602, unknown filter id",
    })
    void aNodeThatForgotTheFilterHasLostIt(int code, String message) {
        String id = made("k", "\"0x1\"");
        pool.a.answering(error(code, message));
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("-32000 filter not found");
        assertThat(open()).isZero();
    }

    @Test
    void nullInsteadOfChangesIsALostFilter() {
        String id = made("k", "\"0x1\"");
        pool.a.answering(result("null"));
        assertThat(text("k", "eth_getFilterLogs", "[\"" + id + "\"]")).isEqualTo("-32000 filter not found");
    }

    @Test
    void aFilterThatIsNotForLogsSurvivesARequestForLogs() {
        String id = made("k", "\"0x1\"");
        pool.a.answering(error(-32000, "filter not found"));
        assertThat(text("k", "eth_getFilterLogs", "[\"" + id + "\"]")).isEqualTo("-32000 filter not found");
        pool.a.answering(result("[\"0x5\"]"));
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("[\"0x5\"]");
    }

    @Test
    void anotherErrorOfTheNodePassesAndTheFilterStays() {
        String id = made("k", "\"0x1\"");
        pool.a.answering(error(-32005, "query returned more than 10000 results"));
        assertThat(text("k", "eth_getFilterLogs", "[\"" + id + "\"]"))
                .isEqualTo("-32005 query returned more than 10000 results");
        assertThat(open()).isEqualTo(1);
    }

    @Test
    void aNodeThatDoesNotAnswerHasNotLostTheFilterAndNoOtherIsAsked() {
        String id = made("k", "\"0x1\"");
        pool.a.answering(timeout());
        RpcReply reply = reply("k", "eth_getFilterChanges", "[\"" + id + "\"]");
        assertThat(((RpcReply.Failure) reply).kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(pool.b.asked).isEmpty();
        assertThat(pool.a.asked).as("changes are told once").hasSize(2);

        pool.a.answering(result("[1]"));
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("[1]");
    }

    @Test
    void uninstallingIsPassedOnAndEndsTheId() {
        String id = made("k", "\"0x1\"");
        pool.a.answering(result("true"));
        assertThat(text("k", "eth_uninstallFilter", "[\"" + id + "\"]")).isEqualTo("true");
        assertThat(pool.a.texts()).endsWith("eth_uninstallFilter[\"0x1\"]");
        assertThat(text("k", "eth_uninstallFilter", "[\"" + id + "\"]")).isEqualTo("false");
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("-32000 filter not found");
        assertThat(pool.a.asked).hasSize(2);
        assertThat(pool.counter("filters_ended", "uninstalled")).isEqualTo(1);
    }

    @Test
    void uninstallingAtANodeThatDoesNotAnswerIsDoneAllTheSame() {
        String id = made("k", "\"0x1\"");
        pool.a.answering(timeout());
        assertThat(text("k", "eth_uninstallFilter", "[\"" + id + "\"]")).isEqualTo("true");

        String another = made("k", "\"0x2\"");
        pool.a.health = Health.DOWN;
        assertThat(text("k", "eth_uninstallFilter", "[\"" + another + "\"]")).isEqualTo("true");
        assertThat(open()).isZero();
    }

    @Test
    void uninstallingAnUnknownIdIsFalseAsGethSaysIt() {
        assertThat(text("k", "eth_uninstallFilter", "[\"0x1\"]")).isEqualTo("false");
        assertThat(pool.a.asked).isEmpty();
    }

    @Test
    void anUnusedFilterExpiresAndIsRemovedAtItsNode() {
        String id = made("k", "\"0x1\"");
        String polled = made("k", "\"0x2\"");
        pool.a.answering(result("[]"));
        pass(Duration.ofSeconds(40));
        assertThat(text("k", "eth_getFilterChanges", "[\"" + polled + "\"]")).isEqualTo("[]");
        pass(Duration.ofSeconds(40));

        assertThat(open()).isEqualTo(1);
        pool.runLoop();
        assertThat(pool.a.texts()).endsWith("eth_uninstallFilter[\"0x1\"]");
        assertThat(pool.counter("filters_ended", "idle")).isEqualTo(1);
        assertThat(text("k", "eth_getFilterChanges", "[\"" + id + "\"]")).isEqualTo("-32000 filter not found");
        assertThat(text("k", "eth_getFilterChanges", "[\"" + polled + "\"]")).isEqualTo("[]");
    }

    @Test
    void idleFiltersStayAtANodeWithProblems() {
        made("k", "\"0x1\"");
        pool.a.health = Health.DOWN;
        pass(Duration.ofMinutes(2));
        assertThat(open()).isZero();
        pool.runLoop();
        assertThat(pool.a.asked).hasSize(1);
    }

    @Test
    void aFullTableTakesNoMoreUntilOneEnds() {
        String first = made("k", "\"0x1\"");
        made("k", "\"0x2\"");
        made("other", "\"0x3\"");
        made("third", "\"0x4\"");
        assertThat(text("k", "eth_newFilter", "[{}]"))
                .isEqualTo("-32005 too many filters are open (expected: at most 4)");
        assertThat(pool.a.asked).hasSize(4);
        assertThat(pool.counter("filters_refused", "")).isEqualTo(1);

        pool.a.answering(result("true"));
        text("k", "eth_uninstallFilter", "[\"" + first + "\"]");
        assertThat(made("k", "\"0x5\"")).startsWith("0x");

        pass(Duration.ofMinutes(2));
        assertThat(made("k", "\"0x6\"")).as("idle ones make room").startsWith("0x");
    }

    @Test
    void aKeyCannotTakeTheFiltersOfOthers() {
        String first = made("k", "\"0x1\"");
        made("k", "\"0x2\"");
        made("k", "\"0x3\"");
        assertThat(text("k", "eth_newFilter", "[{}]")).isEqualTo(OVER_KEY);
        assertThat(pool.a.asked).hasSize(3);
        assertThat(pool.counter("filters_refused", "")).isEqualTo(1);
        assertThat(open()).isEqualTo(3);
        assertThat(made("other", "\"0x4\"")).startsWith("0x");

        pool.a.answering(result("true"));
        text("k", "eth_uninstallFilter", "[\"" + first + "\"]");
        assertThat(made("k", "\"0x5\"")).as("an ended one makes room").startsWith("0x");
        assertThat(text("k", "eth_newFilter", "[{}]")).isEqualTo(OVER_KEY);

        pass(Duration.ofMinutes(2));
        for (int i = 6; i < 9; i++) {
            assertThat(made("k", "\"0x" + i + "\"")).as("idle ones make room").startsWith("0x");
        }
        assertThat(text("k", "eth_newFilter", "[{}]")).isEqualTo(OVER_KEY);
    }

    @Test
    void aRefusalOfTheTableTakesNothingFromTheKey() {
        for (int i = 0; i < 3; i++) {
            made("k", "\"0x" + i + "\"");
        }
        String other = made("other", "\"0x3\"");
        for (int i = 0; i < 5; i++) {
            assertThat(text("other", "eth_newFilter", "[{}]")).contains("(expected: at most 4)");
        }
        pool.a.answering(result("true"));
        text("other", "eth_uninstallFilter", "[\"" + other + "\"]");
        assertThat(made("other", "\"0x5\"")).startsWith("0x");
    }

    @Test
    void everyEndOfAFilterReleasesItsSlot() {
        pool.a.answering(error(-32601, "no filters here"));
        for (int i = 0; i < 10; i++) {
            text("k", "eth_newFilter", "[{}]");
        }
        for (int i = 0; i < 10; i++) {
            // The node restarted and assigns the same id to each filter, so the earlier filter is lost.
            made("k", "\"0x1\"");
        }
        String lost = made("k", "\"0x2\"");
        for (int i = 0; i < 10; i++) {
            pool.a.answering(error(-32000, "filter not found"));
            assertThat(text("k", "eth_getFilterChanges", "[\"" + lost + "\"]")).isEqualTo("-32000 filter not found");
            lost = made("k", "\"0x2\"");
        }
        assertThat(made("k", "\"0x3\"")).startsWith("0x");
        assertThat(text("k", "eth_newFilter", "[{}]")).isEqualTo(OVER_KEY);
    }

    @Test
    void aFilterThatWasNotCreatedTakesNoSlot() {
        pool.a.answering(error(-32601, "the method eth_newFilter does not exist"));
        for (int i = 0; i < 5; i++) {
            assertThat(text("k", "eth_newFilter", "[{}]")).isEqualTo("-32601 the method eth_newFilter does not exist");
        }
        assertThat(open()).isZero();
    }

    @Test
    void makingOneMovesOnOnlyWhereTheFirstNodeCannotHaveMadeIt() {
        pool.b.answering(result("\"0x9\""));
        pool.a.answering(timeout());
        assertThat(((RpcReply.Failure) reply("k", "eth_newFilter", "[{}]")).kind())
                .isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(pool.b.asked).isEmpty();

        pool.a.answering(unreachable());
        String id = unquoted(text("k", "eth_newFilter", "[{}]"));
        text("k", "eth_getFilterChanges", "[\"" + id + "\"]");
        assertThat(pool.b.texts()).containsExactly("eth_newFilter[{}]", "eth_getFilterChanges[\"0x9\"]");
    }

    @Test
    void aNodeThatGivesItsIdAwayAgainHasForgottenWhatItHeldUnderIt() {
        String before = made("k", "\"0x1\"");
        String after = made("other", "\"0x1\"");
        pool.a.answering(result("[\"for the other\"]"));
        assertThat(text("k", "eth_getFilterChanges", "[\"" + before + "\"]")).isEqualTo("-32000 filter not found");
        assertThat(text("other", "eth_getFilterChanges", "[\"" + after + "\"]")).isEqualTo("[\"for the other\"]");
        assertThat(pool.counter("filters_ended", "replaced")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"[]|missing", "{\"id\":\"0x1\"}|missing", "[1]|1", "[null]|null", "[[\"0x1\"]]|[\"0x1\"]"})
    void aParameterThatIsNotAnIdIsRefused(String params, String shown) {
        for (String method : new String[] {"eth_getFilterChanges", "eth_getFilterLogs", "eth_uninstallFilter"}) {
            assertThat(text("k", method, params))
                    .isEqualTo("-32602 params[0]: " + shown + " (expected: the id of a filter)");
        }
    }

    @Test
    void aFailureOfTheNodeReleasesTheSlot() {
        for (int i = 0; i < 5; i++) {
            pool.a.answers = call -> {
                throw new IllegalStateException("of this test");
            };
            assertThat(text("k", "eth_newBlockFilter", "[]")).contains("internal error");
        }
        made("k", "\"0x1\"");
        assertThat(open()).isEqualTo(1);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private long open() {
        return pool.registry.getMetrics().values().stream()
                .filter(Gauge.class::isInstance)
                .mapToLong(gauge -> (Long) ((Gauge<?>) gauge).getValue())
                .sum();
    }

    /** Creates a filter at the first node, which assigns this id. Returns the proxy's id. */
    private String made(String caller, String nodeId) {
        pool.a.answering(result(nodeId));
        return unquoted(text(caller, "eth_newFilter", "[{}]"));
    }

    private static String unquoted(String json) {
        return json.substring(1, json.length() - 1);
    }

    private RpcReply reply(String caller, String method, String params) {
        return pool.send(stages.get(MethodCatalogue.ofName(method).role()), caller, method, params)
                .get(0);
    }

    private String text(String caller, String method, String params) {
        RpcReply reply = reply(caller, method, params);
        return reply instanceof RpcReply.Failure failure
                ? failure.error().code() + " " + failure.error().message()
                : ((RpcReply.Result) reply).value().toString();
    }
}
