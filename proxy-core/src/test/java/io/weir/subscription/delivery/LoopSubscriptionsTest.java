package io.weir.subscription.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.TestCaller;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RpcError;
import io.weir.metrics.Meters;
import io.weir.subscription.stream.BlockLogs;
import io.weir.subscription.stream.MadeLogs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which subscriptions of an event loop are told what, and how they end. */
class LoopSubscriptionsTest {

    private static final int MANY = 1 << 24;
    private static final BlockLink BLOCK = MadeLogs.block(7, 0);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final HandSession session = new HandSession(channel.eventLoop());
    private final List<Subscription> ended = new ArrayList<>();
    private LoopSubscriptions own = subscriptions(16, MANY);

    @BeforeEach
    void freezeTime() {
        channel.freezeTime();
    }

    @AfterEach
    void everyTextWasClosed() {
        assertThat(session.openTexts).isZero();
    }

    private LoopSubscriptions subscriptions(int queueMessages, int queueBytes) {
        SubscriptionMeters meters = new SubscriptionMeters(new Meters(new MetricRegistry()), "net");
        return new LoopSubscriptions(
                channel.eventLoop(), new Notifier(0, meters, queueMessages, queueBytes), ended::add);
    }

    private Subscription subscription(String id, SubscriptionKind kind, @Nullable String filter) {
        return new Subscription(
                id,
                SubscriptionRequest.of(kind, MadeLogs.NOTIFICATIONS, filter == null ? null : MadeLogs.criteria(filter)),
                TestCaller.CLIENT,
                session);
    }

    private Subscription heads(String id) {
        return subscription(id, SubscriptionKind.NEW_HEADS, null);
    }

    /** Adds a subscription to all logs, whose answer was written. */
    private Subscription logs(String id, long joined) {
        Subscription logs = subscription(id, SubscriptionKind.LOGS, "{}");
        logs.joined(joined);
        own.add(logs);
        own.open(logs);
        return logs;
    }

    private void deliver(Delivered event) {
        own.submit(event);
        channel.runPendingTasks();
    }

    private void deliverHead(String head) {
        deliver(new Delivered.Result(SubscriptionKind.NEW_HEADS, bytes(head), bytes(head)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private List<String> results() {
        return session.sent.stream()
                .map(text -> text.replaceAll(".*\"subscription\":\"(.*?)\",\"(?:result|error)\":(.*)}}", "$1 $2"))
                .toList();
    }

    @Test
    void aLogFromBeforeASubscriptionIsNotToldToItNorThatItIsRemoved() {
        BlockLogs logs = MadeLogs.logs(BLOCK, List.of(MadeLogs.log(BLOCK, 0, 1)));
        logs("early", 4);
        logs("late", 5);
        deliver(new Delivered.Logs(logs, false, 5));
        deliver(new Delivered.Logs(logs, true, 5));
        assertThat(results()).hasSize(2).allMatch(result -> result.startsWith("early "));
        deliver(new Delivered.Logs(logs, false, 6));
        assertThat(results()).hasSize(4).anyMatch(result -> result.startsWith("late "));
    }

    @Test
    void theNewestLogIsTakenBackFirst() {
        BlockLogs logs = MadeLogs.logs(BLOCK, List.of(MadeLogs.log(BLOCK, 0, 1), MadeLogs.log(BLOCK, 1, 1)));
        logs("a", 0);
        deliver(new Delivered.Logs(logs, false, 1));
        deliver(new Delivered.Logs(logs, true, 1));
        assertThat(results())
                .extracting(result -> result.replaceAll(".*\"logIndex\":\"(.*?)\",\"removed\":(.*?)}.*", "$1 $2"))
                .containsExactly("0x0 false", "0x1 false", "0x1 true", "0x0 true");
    }

    @Test
    void notificationsWaitForTheAnswerAndThenGoInOrder() {
        Subscription heads = heads("a");
        own.add(heads);
        deliverHead("1");
        deliverHead("2");
        assertThat(session.sent).isEmpty();
        own.open(heads);
        deliverHead("3");
        assertThat(results()).containsExactly("a 1", "a 2", "a 3");
    }

    @Test
    void anErrorEndsASubscriptionOnceItsAnswerWasWritten() {
        Subscription opened = heads("opened");
        Subscription early = heads("early");
        own.add(opened);
        own.open(opened);
        own.add(early);
        deliver(new Delivered.Failure(SubscriptionKind.NEW_HEADS, new RpcError(-32603, "lost", null)));
        assertThat(ended).containsExactly(opened);
        assertThat(results()).containsExactly("opened {\"code\":-32603,\"message\":\"lost\"}");
        own.open(early);
        assertThat(results()).hasSize(2).last().asString().startsWith("early ");
        assertThat(ended).containsExactly(opened, early);
    }

    @Test
    void oneSubscriptionIsToldAloneAndItsConnectionClosedIfItIsLost() {
        Subscription heads = heads("a");
        own.add(heads);
        own.open(heads);
        own.add(heads("b"));
        own.send(heads, bytes("1"));
        assertThat(results()).containsExactly("a 1");
        own.lose(heads, "no node");
        assertThat(session.closing).isEqualTo("try again later: no node");
    }

    @Test
    void blocksThatAreGoneAreToldToTheSubscriptionsWhoseFormHasThat() {
        SubscriptionRequest.Form form = new SubscriptionRequest.Form("kind_subscribe", "kind_told", "id", "kind_gone");
        Subscription heads = new Subscription(
                "a", SubscriptionRequest.of(SubscriptionKind.NEW_HEADS, form, null), TestCaller.CLIENT, session);
        own.add(heads);
        own.open(heads);
        Subscription without = heads("b");
        own.add(without);
        own.open(without);
        logs("c", 0);
        deliver(new Delivered.Reorganisation(bytes("1"), true));
        assertThat(session.sent).as("logs of the form without").isEmpty();
        deliver(new Delivered.Reorganisation(bytes("2"), false));
        own.reorganised(heads, bytes("3"));
        assertThat(session.sent)
                .containsExactly(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"kind_gone\",\"params\":{\"id\":\"a\",\"result\":2}}",
                        "{\"jsonrpc\":\"2.0\",\"method\":\"kind_gone\",\"params\":{\"id\":\"a\",\"result\":3}}");
    }

    @Test
    void aSubscriptionThatHasEndedIsToldNothing() {
        Subscription heads = heads("a");
        own.add(heads);
        own.open(heads);
        assertThat(own.remove(session, "b")).isFalse();
        assertThat(own.remove(session, "a")).isTrue();
        assertThat(own.remove(session, "a")).isFalse();
        deliverHead("1");
        own.send(heads, bytes("2"));
        own.reorganised(heads, bytes("3"));
        own.fail(heads, new RpcError(-32603, "lost", null));
        own.lose(heads, "lost");
        assertThat(session.sent).isEmpty();
        assertThat(session.isOpen()).isTrue();
        assertThat(ended).containsExactly(heads);
    }

    @Test
    void aSubscriptionThatEndsBeforeItsAnswerIsWrittenIsToldNothingThen() {
        Subscription heads = heads("a");
        own.add(heads);
        deliverHead("1");
        own.remove(session, "a");
        own.open(heads);
        assertThat(session.sent).isEmpty();
    }

    @Test
    void theSubscriptionsOfAConnectionEndWithItOnceEach() {
        Subscription heads = heads("a");
        own.add(heads);
        own.add(heads("b"));
        own.remove(session, "b");
        session.leave();
        assertThat(ended).hasSize(2).endsWith(heads);
        assertThat(own.count(session)).isZero();
    }

    @Test
    void onlyTheConnectionsOfAKindAreClosedWithIt() {
        Subscription heads = heads("a");
        own.add(heads);
        deliver(new Delivered.End(SubscriptionKind.PENDING, "no node"));
        assertThat(session.isOpen()).isTrue();
        deliver(new Delivered.End(SubscriptionKind.NEW_HEADS, "no node"));
        assertThat(session.closing).isEqualTo("try again later: no node");
    }

    /** Returns how many notifications of an event are sent in one turn of the event loop. */
    private int sentInOneTurn(Delivered event) {
        List<Integer> sent = new ArrayList<>();
        own.submit(event);
        channel.eventLoop().execute(() -> sent.add(session.sent.size()));
        channel.runPendingTasks();
        return sent.get(0);
    }

    @Test
    void aLongDeliveryIsCutIntoTurnsOfTheEventLoop() {
        own = subscriptions(2_000, MANY);
        for (int i = 0; i < 600; i++) {
            Subscription heads = heads("h" + i);
            own.add(heads);
            own.open(heads);
        }
        assertThat(sentInOneTurn(new Delivered.Result(SubscriptionKind.NEW_HEADS, bytes("1"), bytes("1"))))
                .isEqualTo(512);
        assertThat(session.sent).hasSize(600);
        session.sent.clear();
        logs("a", 0);
        logs("b", 0);
        BlockLogs logs = MadeLogs.logs(BLOCK, Collections.nCopies(300, MadeLogs.log(BLOCK, 0, 1)));
        assertThat(sentInOneTurn(new Delivered.Logs(logs, false, 1))).isBetween(256, 512);
        assertThat(session.sent).hasSize(600);
    }

    @Test
    void theDeliveryOfOneLogToManyIsCutIntoTurnsOfTheEventLoop() {
        own = subscriptions(2_000, MANY);
        for (int i = 0; i < 600; i++) {
            logs("l" + i, 0);
        }
        BlockLogs logs = MadeLogs.logs(BLOCK, List.of(MadeLogs.log(BLOCK, 0, 1), MadeLogs.log(BLOCK, 1, 1)));
        assertThat(sentInOneTurn(new Delivered.Logs(logs, false, 1))).isBetween(256, 512);
        assertThat(session.sent).hasSize(1200);
    }

    @Test
    void theSearchForSubscriptionsThatMatchNothingIsCutIntoTurnsToo() {
        for (int i = 0; i < 600; i++) {
            own.add(subscription("later" + i, SubscriptionKind.LOGS, "{\"fromBlock\":\"0x100\"}"));
        }
        logs("a", 0);
        BlockLogs logs = MadeLogs.logs(BLOCK, Collections.nCopies(16, MadeLogs.log(BLOCK, 0, 1)));
        assertThat(sentInOneTurn(new Delivered.Logs(logs, false, 1))).isBetween(8, 15);
        assertThat(session.sent).hasSize(16);
    }

    /** Tells new heads of 10,000 bytes until the connection is closed. Returns how it was. */
    private String tellUntilClosed() {
        for (int i = 0; i < 100 && session.isOpen(); i++) {
            deliverHead("1".repeat(10_000));
        }
        return session.closing;
    }

    @ParameterizedTest
    @CsvSource({"16, 16777216, 16", "16384, 65536, 6"})
    void aClientThatReadsNothingIsClosedOnceTooMuchIsUnsent(int messages, int bytes, int sent) {
        own = subscriptions(messages, bytes);
        Subscription heads = heads("a");
        own.add(heads);
        own.open(heads);
        assertThat(tellUntilClosed()).isEqualTo("try again later: notifications are read too slowly");
        assertThat(session.sent).hasSize(sent);
    }

    @ParameterizedTest
    @CsvSource({"16, 16777216", "16384, 65536"})
    void aClientWhoseAnswerIsPendingIsClosedOnceTooMuchWaitsForIt(int messages, int bytes) {
        own = subscriptions(messages, bytes);
        own.add(heads("a"));
        assertThat(tellUntilClosed()).isEqualTo("try again later: an answer was pending for too long");
        assertThat(session.sent).isEmpty();
    }

    private static Queue<byte[]> tenResults() {
        Queue<byte[]> results = new ArrayDeque<>();
        for (int i = 0; i < 10; i++) {
            results.add(bytes("" + i));
        }
        return results;
    }

    @Test
    void earlierResultsGoBeforeThoseThatWaitAndOnlyAsFastAsTheClientReads() {
        Subscription heads = heads("a");
        own.add(heads);
        deliverHead("100");
        Queue<byte[]> earlier = tenResults();
        List<Boolean> caughtUp = new ArrayList<>();
        own.catchUp(heads, earlier, System.nanoTime() + TimeUnit.HOURS.toNanos(1), caughtUp::add);
        assertThat(session.sent).as("half of what may be unsent").hasSize(8);
        assertThat(caughtUp).isEmpty();
        session.read = 8;
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(caughtUp).containsExactly(true);
        own.open(heads);
        assertThat(results()).hasSize(11).first().isEqualTo("a 0");
        assertThat(results()).endsWith("a 9", "a 100");
    }

    @Test
    void earlierResultsTakeHalfOfTheBytesThatMayBeUnsent() {
        own = subscriptions(16_384, 64 << 10);
        Subscription heads = heads("a");
        own.add(heads);
        Queue<byte[]> results = new ArrayDeque<>(Collections.nCopies(10, bytes("1".repeat(10_000))));
        own.catchUp(heads, results, System.nanoTime() + TimeUnit.HOURS.toNanos(1), goesOn -> {});
        assertThat(session.sent).hasSize(4);
    }

    @Test
    void earlierResultsThatTakeHalfOfTheBytesExactlyAreFollowedByNoMore() {
        Subscription heads = heads("a");
        own.add(heads);
        own.open(heads);
        deliverHead("1");
        int length = session.sent.remove(0).length();
        own = subscriptions(16_384, 8 * length);
        own.add(heads);
        Queue<byte[]> results = new ArrayDeque<>(Collections.nCopies(10, bytes("1")));
        own.catchUp(heads, results, System.nanoTime() + TimeUnit.HOURS.toNanos(1), goesOn -> {});
        assertThat(session.sent).hasSize(4);
    }

    @Test
    void aSubscriptionThatEndsBetweenEarlierResultsGetsNoMoreOfThem() {
        Subscription heads = heads("a");
        own.add(heads);
        List<Boolean> caughtUp = new ArrayList<>();
        own.catchUp(heads, tenResults(), System.nanoTime() + TimeUnit.HOURS.toNanos(1), caughtUp::add);
        session.read = 8;
        own.remove(session, "a");
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(session.sent).hasSize(8);
        assertThat(caughtUp).containsExactly(false);
        assertThat(session.isOpen()).isTrue();
    }

    @Test
    void aClientThatReadsEarlierResultsTooSlowlyIsClosed() {
        Subscription heads = heads("a");
        own.add(heads);
        Queue<byte[]> earlier = tenResults();
        List<Boolean> caughtUp = new ArrayList<>();
        own.catchUp(heads, earlier, System.nanoTime(), caughtUp::add);
        assertThat(session.closing).isEqualTo("try again later: notifications are read too slowly");
        assertThat(caughtUp).containsExactly(false);
    }
}
