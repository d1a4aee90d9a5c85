package io.weir.subscription.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.chain.BlockLink;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.Share;
import io.weir.method.MethodRole;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.Stage;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.stream.BlockLogs;
import io.weir.subscription.stream.MadeLogs;
import io.weir.testing.NetworkSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The stages of filters over a stream in the hands of the test. */
class StreamFiltersTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String NOT_FOUND = "-32000 filter not found";

    private final HandPool pool = new HandPool();
    private final Budget inFlight = new Budget(1 << 20);
    private final Budget memory = new Budget(16_384);
    private final HandSource source = new HandSource();
    private long head;
    private long sequence;
    private StreamFilters filters;
    private final Map<MethodRole, Stage> stages = stages("filters.max-per-key = 4");

    private Map<MethodRole, Stage> stages(String settings) {
        return stages(settings, FilterTable.IDLE);
    }

    private Map<MethodRole, Stage> stages(String settings, Duration idle) {
        NetworkConfig config = NetworkSettings.of("net", settings);
        Map<SubscriptionKind, EventSource> sources = new EnumMap<>(SubscriptionKind.class);
        for (SubscriptionKind kind : SubscriptionKind.values()) {
            sources.put(kind, source);
        }
        filters = new StreamFilters(
                new FilterTable(config.filters(), pool.meters(), config.name(), idle),
                inFlight,
                () -> head,
                sources,
                MadeLogs.limits(6, pool.meters(), memory),
                64 << 10);
        filters.take(new Delivered.Height(SubscriptionKind.NEW_HEADS, 0));
        filters.take(new Delivered.Height(SubscriptionKind.LOGS, 0));
        Stage calls = (context, sink) -> sink.accept(new RpcReply.Result(RawJson.of('"'
                + context.call().method()
                + context.call().params().toString().replace("\"", "'")
                + '"')));
        return filters.stages(calls);
    }

    private String text(String caller, String method, String params) {
        List<RpcReply> replies = send(caller, method, params);
        await().until(() -> {
            pool.runLoop();
            return !replies.isEmpty();
        });
        assertThat(replies).hasSize(1);
        return replies.get(0) instanceof RpcReply.Failure failure
                ? failure.error().code() + " " + failure.error().message()
                : ((RpcReply.Result) replies.get(0)).value().toString();
    }

    private List<RpcReply> send(String caller, String method, String params) {
        return pool.send(stages.get(MethodCatalogue.ofName(method).role()), caller, method, params);
    }

    private String made(String method, String params) {
        String answer = text("k", method, params);
        assertThat(answer).matches("\"0x[0-9a-f]{20,32}\"");
        return '[' + answer + ']';
    }

    private String changes(String id) {
        return text("k", "eth_getFilterChanges", id);
    }

    private void tell(SubscriptionKind kind, String json) {
        byte[] text = json.getBytes(StandardCharsets.US_ASCII);
        filters.take(new Delivered.Result(kind, text, text));
    }

    private BlockLogs tellLogs(long number, int... addresses) {
        BlockLink block = MadeLogs.block(number, 1);
        BlockLogs logs = MadeLogs.logs(
                block,
                IntStream.range(0, addresses.length)
                        .mapToObj(i -> MadeLogs.log(block, i, addresses[i], 3))
                        .toList());
        filters.take(new Delivered.Logs(logs, false, ++sequence));
        return logs;
    }

    private static String list(BlockLogs logs, boolean removed, int... indexes) {
        return IntStream.of(indexes)
                .mapToObj(i -> new String(removed ? logs.removedText(i) : logs.text(i), StandardCharsets.US_ASCII))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String forAddress(int address) {
        return "[{\"address\":" + MadeLogs.address(address) + "}]";
    }

    @Test
    void aPollReturnsWhatIsNewInItsOrderAndAsksNoNode() {
        String blocks = made("eth_newBlockFilter", "[]");
        String pending = made("eth_newPendingTransactionFilter", "[]");
        String whole = made("eth_newPendingTransactionFilter", "[true]");
        tell(SubscriptionKind.NEW_HEADS, "\"0x1\"");
        tell(SubscriptionKind.PENDING, "\"0xa\"");
        tell(SubscriptionKind.WHOLE_PENDING, "{}");
        tell(SubscriptionKind.NEW_HEADS, "\"0x2\"");

        assertThat(changes(blocks)).isEqualTo("[\"0x1\",\"0x2\"]");
        assertThat(changes(blocks)).isEqualTo("[]");
        assertThat(changes(pending)).isEqualTo("[\"0xa\"]");
        assertThat(changes(whole)).isEqualTo("[{}]");
        assertThat(pool.a.asked).isEmpty();
    }

    @Test
    void aFilterOfLogsReturnsThoseOfItsCriteriaAndTakesThemBackNewestFirst() {
        String id = made("eth_newFilter", forAddress(1));
        String other = made("eth_newFilter", forAddress(2));
        BlockLogs first = tellLogs(7, 1, 2, 1);
        assertThat(changes(id)).isEqualTo(list(first, false, 0, 2));
        filters.take(new Delivered.Logs(first, true, sequence));
        BlockLogs second = tellLogs(7, 1);

        assertThat(changes(id)).isEqualTo(joined(list(first, true, 2, 0), list(second, false, 0)));
        assertThat(changes(other)).isEqualTo(joined(list(first, false, 1), list(first, true, 1)));
    }

    private static String joined(String list, String next) {
        return list.substring(0, list.length() - 1) + ',' + next.substring(1);
    }

    @Test
    void logsFromBeforeAFilterAreNotTakenBack() {
        made("eth_newFilter", "[{}]");
        BlockLogs before = tellLogs(7, 1);
        sequence = 1;
        String id = made("eth_newFilter", "[{}]");
        source.members.forEach(member -> member.joined(1));
        filters.take(new Delivered.Logs(before, true, 1));
        BlockLogs after = tellLogs(7, 1);
        assertThat(changes(id)).isEqualTo(list(after, false, 0));
    }

    @Test
    void theRestOfALongAnswerComesWithTheNextPoll() {
        String id = made("eth_newFilter", "[{}]");
        List<String> expected = new ArrayList<>();
        for (int number = 1; number <= 3; number++) {
            BlockLogs logs = tellLogs(number, new int[300]);
            IntStream.range(0, 300).forEach(i -> expected.add(new String(logs.text(i), StandardCharsets.US_ASCII)));
        }
        List<String> told = new ArrayList<>();
        String answer = changes(id);
        int polls = 0;
        while (!answer.equals("[]")) {
            assertThat(answer.length()).isLessThanOrEqualTo(64 << 10);
            JSON.readTree(answer).forEach(log -> told.add(log.toString()));
            answer = changes(id);
            polls++;
        }
        assertThat(told).isEqualTo(expected);
        assertThat(polls).isGreaterThan(3);
    }

    @Test
    void aChangeLargerThanAnAnswerComesAlone() {
        String id = made("eth_newPendingTransactionFilter", "[true]");
        String large = '"' + "x".repeat(100_000) + '"';
        tell(SubscriptionKind.WHOLE_PENDING, "1");
        tell(SubscriptionKind.WHOLE_PENDING, large);
        tell(SubscriptionKind.WHOLE_PENDING, "2");
        assertThat(changes(id)).isEqualTo("[1]");
        assertThat(changes(id)).isEqualTo('[' + large + ']');
        assertThat(changes(id)).isEqualTo("[2]");
    }

    @Test
    void aLongWalkIsCutIntoTurnsAndAPollMeanwhileReturnsNothing() {
        String id = made("eth_newFilter", forAddress(1));
        for (int i = 0; i < 10_000; i++) {
            tellLogs(i + 1, 2);
        }
        BlockLogs last = tellLogs(10_001, 1);
        List<RpcReply> first = send("k", "eth_getFilterChanges", id);
        assertThat(first).isEmpty();
        List<RpcReply> meanwhile = send("k", "eth_getFilterChanges", id);
        assertThat(meanwhile).containsExactly(new RpcReply.Result(RawJson.EMPTY_ARRAY));
        await().until(() -> {
            pool.runLoop();
            return !first.isEmpty();
        });
        assertThat(first).containsExactly(new RpcReply.Result(RawJson.of(list(last, false, 0))));
        assertThat(inFlight.taken()).isZero();
    }

    @Test
    void withoutMemoryForAnAnswerTheFilterStaysWhereItIs() {
        String id = made("eth_newBlockFilter", "[]");
        tell(SubscriptionKind.NEW_HEADS, "\"0x1\"");
        inFlight.take(1 << 20);
        assertThat(changes(id)).isEqualTo("-32603 overloaded");
        inFlight.give(1 << 20);
        Share share = inFlight.share("k");
        share.tryTake(1_000_000);
        assertThat(changes(id)).as("its holder has its share").isEqualTo("-32603 overloaded");
        share.give(1_000_000);
        assertThat(changes(id)).isEqualTo("[\"0x1\"]");
        assertThat(inFlight.taken()).isZero();
    }

    @Test
    void aPollWaitsForTheKnownHead() {
        String blocks = made("eth_newBlockFilter", "[]");
        String pending = made("eth_newPendingTransactionFilter", "[]");
        filters.take(new Delivered.Height(SubscriptionKind.NEW_HEADS, 4));
        head = 5;
        List<RpcReply> replies = send("k", "eth_getFilterChanges", blocks);
        assertThat(replies).isEmpty();
        assertThat(send("k", "eth_getFilterChanges", pending))
                .as("no head matters")
                .hasSize(1);
        tell(SubscriptionKind.NEW_HEADS, "\"0x5\"");
        filters.take(new Delivered.Height(SubscriptionKind.NEW_HEADS, 5));
        pool.runLoop();
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("[\"0x5\"]")));

        head = 6;
        assertThat(changes(blocks)).as("after some time").isEqualTo("[]");
        assertThat(send("k", "eth_getFilterChanges", blocks)).as("at once").hasSize(1);
        filters.take(new Delivered.Height(SubscriptionKind.NEW_HEADS, 4));
        assertThat(send("k", "eth_getFilterChanges", blocks))
                .as("the stream went on")
                .isEmpty();
    }

    @Test
    void allLogsOfAFilterAreThoseOfACallForThem() {
        String id = made("eth_newFilter", "[{\"fromBlock\":\"0x1\"}]");
        assertThat(text("k", "eth_getFilterLogs", id)).isEqualTo("\"eth_getLogs[{'fromBlock':'0x1'}]\"");
        assertThat(text("k", "eth_getFilterLogs", made("eth_newBlockFilter", "[]")))
                .isEqualTo(NOT_FOUND);
        assertThat(text("other", "eth_getFilterLogs", id)).isEqualTo(NOT_FOUND);
    }

    @Test
    void theFilterOfAnotherKeyIsAsUnknown() {
        String id = made("eth_newBlockFilter", "[]");
        tell(SubscriptionKind.NEW_HEADS, "\"0x1\"");
        assertThat(text("other", "eth_getFilterChanges", id)).isEqualTo(NOT_FOUND);
        assertThat(text("other", "eth_uninstallFilter", id)).isEqualTo("false");
        assertThat(changes(id)).isEqualTo("[\"0x1\"]");
    }

    @Test
    void everyEndReleasesWhatAFilterHolds() {
        for (int i = 0; i < 10; i++) {
            String id = made("eth_newBlockFilter", "[]");
            assertThat(text("k", "eth_uninstallFilter", id)).isEqualTo("true");
            assertThat(text("k", "eth_uninstallFilter", id)).isEqualTo("false");
            assertThat(changes(id)).isEqualTo(NOT_FOUND);
            String lost = made("eth_newBlockFilter", "[]");
            filters.take(new Delivered.End(null, "of this test"));
            assertThat(changes(lost)).isEqualTo(NOT_FOUND);
            assertThat(changes(lost)).isEqualTo(NOT_FOUND);
        }
        assertThat(source.members).isEmpty();
        assertThat(filters.bytes()).isZero();
        assertThat(pool.counter("filters_ended", "uninstalled")).isEqualTo(10);
        assertThat(pool.counter("filters_ended", "lost")).isEqualTo(10);
    }

    @Test
    void anIdleFilterLeavesTheStreamThoughNobodyCalls() {
        Map<MethodRole, Stage> idle = stages("", Duration.ofSeconds(1));
        pool.send(idle.get(MethodRole.NEW_BLOCK_FILTER), "k", "eth_newBlockFilter", "[]");
        pool.runLoop();
        assertThat(source.members).hasSize(1);
        await().until(() -> {
            pool.runLoop();
            return source.members.isEmpty();
        });
        assertThat(pool.counter("filters_ended", "idle")).isEqualTo(1);
    }

    @Test
    void theFiltersOfAKeyAreBounded() {
        for (int i = 0; i < 4; i++) {
            made("eth_newBlockFilter", "[]");
        }
        assertThat(text("k", "eth_newBlockFilter", "[]")).startsWith("-32005 too many filters of this key");
        assertThat(text("other", "eth_newBlockFilter", "[]")).startsWith("\"0x");
        assertThat(pool.counter("filters_refused", "")).isEqualTo(1);
    }

    @Test
    void theAddressesAndTopicsOfAKeyAreBoundedAndGivenBack() {
        String three = "[{\"address\":" + MadeLogs.address(1) + ",\"topics\":[[" + MadeLogs.topic(1) + ','
                + MadeLogs.topic(2) + "],null]}]";
        for (int i = 0; i < 10; i++) {
            String first = made("eth_newFilter", three);
            String second = made("eth_newFilter", three);
            String all = made("eth_newFilter", "[{}]");
            assertThat(text("k", "eth_newFilter", forAddress(2)))
                    .isEqualTo("-32005 too many addresses and topics in the subscriptions and filters of this key: 7"
                            + " (expected: at most 6)");
            assertThat(text("k", "eth_uninstallFilter", first)).isEqualTo("true");
            filters.take(new Delivered.End(SubscriptionKind.LOGS, "of this test"));
            assertThat(changes(second)).isEqualTo(NOT_FOUND);
            assertThat(changes(all)).isEqualTo(NOT_FOUND);
        }
        assertThat(pool.counter("criteria_refused", "key")).isEqualTo(10);
    }

    @Test
    void theBytesOfFiltersAreBoundedForAllAndForOneCallerAndGivenBack() {
        String large = "[{" + " ".repeat(4_000) + "}]";
        for (int i = 0; i < 10; i++) {
            String first = made("eth_newFilter", large);
            assertThat(memory.taken()).isBetween(4_500L, 5_500L);
            String second = made("eth_newFilter", forAddress(2));
            assertThat(text("k", "eth_uninstallFilter", first)).isEqualTo("true");
            filters.take(new Delivered.End(SubscriptionKind.LOGS, "of this test"));
            assertThat(changes(second)).isEqualTo(NOT_FOUND);
            assertThat(memory.taken()).isZero();
        }
        memory.take(10_300);
        assertThat(text("k", "eth_newFilter", large)).startsWith("\"0x");
        assertThat(text("k", "eth_newFilter", forAddress(1)))
                .startsWith("-32005 the subscriptions and filters take too many bytes: ")
                .endsWith(" (expected: at most the caller's share of 16384)");
        assertThat(text("other", "eth_newBlockFilter", "[]")).startsWith("\"0x");
        assertThat(text("third", "eth_newFilter", large)).endsWith(" (expected: at most 16384)");
        assertThat(pool.counter("criteria_refused", "memory")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{'toBlock':'0x5'}] | fromBlock and toBlock: an invalid block range (expected: fromBlock up to"
                        + " toBlock)",
                "[{'fromBlock':'0x6','toBlock':'0x5'}] | fromBlock and toBlock: an invalid block range (expected:"
                        + " fromBlock up to toBlock)",
                "[{'fromBlock':'pending'}] | block \"pending\" (expected: a number, \"earliest\" or \"latest\":"
                        + " pending logs are not supported)",
            })
    void aFilterAboutNoLaterBlockIsRefusedAsByGeth(String params, String message) {
        assertThat(text("k", "eth_newFilter", params.replace('\'', '"'))).isEqualTo("-32000 params[0]: " + message);
        assertThat(source.members).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"safe", "finalized"})
    void aFilterFromTheFinalBlocksOnTellsLaterLogsAndItsCallForAllKeepsTheTag(String tag) {
        String id = made("eth_newFilter", "[{\"fromBlock\":\"" + tag + "\"}]");
        BlockLogs later = tellLogs(7, 1);
        assertThat(changes(id)).isEqualTo(list(later, false, 0));
        assertThat(text("k", "eth_getFilterLogs", id))
                .as("nodes agree on it then")
                .isEqualTo("\"eth_getLogs[{'fromBlock':'" + tag + "'}]\"");
        assertThat(text("k", "eth_newFilter", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"" + tag + "\"}]"))
                .isEqualTo("-32000 params[0]: block \"" + tag
                        + "\" (expected: a number, \"earliest\" or \"latest\": an invalid block range)");
    }

    @Test
    void aFilterOfOneBlockTellsItsLogsToACallForAllOfThem() {
        String id = made("eth_newFilter", "[{\"blockHash\":\"0x00\"}]");
        BlockLogs later = tellLogs(7, 1);
        assertThat(changes(id)).isEqualTo(list(later, false, 0));
        assertThat(text("k", "eth_getFilterLogs", id)).isEqualTo("\"eth_getLogs[{'blockHash':'0x00'}]\"");
    }

    @Test
    void theErrorOfTheSourceIsTheAnswerAndNothingStays() {
        source.refusal = RpcReply.unavailable("of this test");
        for (int i = 0; i < 10; i++) {
            assertThat(text("k", "eth_newPendingTransactionFilter", "[]")).isEqualTo("-32603 of this test");
            assertThat(text("k", "eth_newFilter", forAddress(1))).isEqualTo("-32603 of this test");
        }
        source.refusal = null;
        made("eth_newPendingTransactionFilter", "[]");
        made("eth_newFilter", forAddress(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"[]|missing", "[1]|1"})
    void aParameterThatIsNotAnIdIsRefused(String params, String shown) {
        for (String method : List.of("eth_getFilterChanges", "eth_getFilterLogs", "eth_uninstallFilter")) {
            assertThat(text("k", method, params))
                    .isEqualTo("-32602 params[0]: " + shown + " (expected: the id of a filter)");
        }
    }
}
