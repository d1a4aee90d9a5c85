package io.weir.subscription.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pending transactions of one node after the other. */
class FailoverFeedTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final RpcReply JOINED = new RpcReply.Result(RawJson.NULL);

    private final HandTimer timer = new HandTimer();
    private final HandNode first = new HandNode("first");
    private final HandNode second = new HandNode("second");
    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final List<String> told = new ArrayList<>();
    private final List<RpcError> lost = new ArrayList<>();
    private final List<RpcReply> joined = new ArrayList<>();
    private int polls;
    private FeedPool pool;
    private FailoverFeed feed;

    private void feed(boolean whole, String... withSocket) {
        pool = new FeedPool(Set.of(withSocket), first, second);
        Topic usual = Topic.pending(whole);
        Topic topic = new Topic(usual.call(), usual.isPolled(), true, false, usual.unknown(), 4, usual.reader());
        feed = new FailoverFeed(topic, pool, loop, timer, 10 * SECOND, new FailoverFeed.Listener() {
            @Override
            public void told(byte[] transaction) {
                told.add(new String(transaction, UTF_8));
            }

            @Override
            public void lost(RpcError error) {
                lost.add(error);
            }

            @Override
            public void polled() {
                polls++;
            }
        });
    }

    private void join() {
        feed.join(timer.now() + 60 * SECOND, failure -> joined.add(failure == null ? JOINED : failure));
        timer.pass(0);
    }

    private static String hash(int number) {
        return "\"0x%064x\"".formatted(number);
    }

    private static NodeOutcome filterAnswer(String method, String changes) {
        return HandNode.result(
                switch (method) {
                    case "eth_newPendingTransactionFilter" -> "\"0x7\"";
                    case "eth_getFilterChanges" -> changes;
                    default -> "true";
                });
    }

    private static int code(RpcReply reply) {
        return ((RpcReply.Failure) reply).error().code();
    }

    @Test
    void allSubscriptionsShareOneSubscriptionAtOneNode() {
        feed(false, "first", "second");
        join();
        join();
        assertThat(pool.feeds).hasSize(1);
        assertThat(pool.newest().call.params()).hasToString("[\"newPendingTransactions\"]");
        assertThat(joined).isEmpty();
        pool.newest().listener.began(1);
        join();
        assertThat(joined).containsExactly(JOINED, JOINED, JOINED);
        pool.newest().tell(hash(1));
        assertThat(told).containsExactly(hash(1));
        for (int i = 0; i < 3; i++) {
            assertThat(pool.newest().closed).isFalse();
            feed.leave();
        }
        assertThat(pool.newest().closed).isTrue();
    }

    @Test
    void anotherNodeTakesOverAndTellsNothingTwice() {
        feed(false, "first", "second");
        join();
        pool.newest().listener.began(1);
        pool.newest().tell(hash(1));
        pool.newest().tell(hash(2));
        pool.newest().end(false);
        assertThat(pool.newest().node).isSameAs(second);
        pool.newest().listener.began(1);
        pool.newest().tell(hash(2).toUpperCase(Locale.ROOT));
        pool.newest().tell(hash(3));
        assertThat(told).containsExactly(hash(1), hash(2), hash(3));
        assertThat(lost).isEmpty();
    }

    @Test
    void onlyTheNewestHashesAreRemembered() {
        feed(false, "first");
        join();
        pool.newest().listener.began(1);
        for (int i = 1; i <= 5; i++) {
            pool.newest().tell(hash(i));
        }
        pool.newest().tell(hash(2));
        pool.newest().tell(hash(1));
        assertThat(told).hasSize(6).endsWith(hash(1));
    }

    @Test
    void aNodeThatLeavesThePoolIsLeft() {
        feed(false, "first", "second");
        join();
        pool.newest().listener.began(1);
        first.health = Health.LAGGING;
        timer.pass(2 * SECOND);
        assertThat(pool.feeds.get(0).closed).isTrue();
        assertThat(pool.newest().node).isSameAs(second);
    }

    @Test
    void aNodeThatTellsTooManyTransactionsInOneRoundIsLeftHoweverManyItToldBefore() {
        feed(false, "first", "second");
        join();
        pool.newest().listener.began(1);
        tellAsManyAsOneRoundMayHave();
        timer.pass(SECOND);
        tellAsManyAsOneRoundMayHave();
        assertThat(pool.newest().node).isSameAs(first);
        assertThat(pool.newest().closed).isFalse();
        pool.newest().tell(hash(2));
        assertThat(pool.feeds.get(0).closed).isTrue();
        assertThat(pool.newest().node).isSameAs(second);
        assertThat(told).containsExactly(hash(1));
    }

    private void tellAsManyAsOneRoundMayHave() {
        RawJson hash = RawJson.of(hash(1));
        for (int i = 0; i < FailoverFeed.MAX_PER_ROUND; i++) {
            pool.newest().listener.notified(hash);
        }
    }

    @Test
    void withoutAWebSocketAFilterIsPolledUntilNobodySubscribes() {
        first.answers = call -> filterAnswer(call.method(), "[" + hash(polls) + "," + hash(100) + "]");
        feed(false);
        join();
        assertThat(joined).containsExactly(JOINED);
        timer.pass(2 * SECOND);
        assertThat(told).containsExactly(hash(1), hash(100), hash(2));
        feed.leave();
        assertThat(first.texts()).endsWith("eth_uninstallFilter[\"0x7\"]");
        timer.pass(10 * SECOND);
        assertThat(polls).isEqualTo(2);
    }

    @Test
    void aFilterThatIsLostIsReplacedAtAnotherNode() {
        first.answers = call -> filterAnswer(call.method(), "[" + hash(1) + "]");
        second.answers = call -> filterAnswer(call.method(), "[" + hash(1) + "," + hash(2) + "]");
        feed(false);
        join();
        timer.pass(SECOND);
        first.answers = call -> HandNode.error("filter not found");
        timer.pass(3 * SECOND);
        assertThat(told).containsExactly(hash(1), hash(2));
    }

    @Test
    void ifNoNodeOffersThemTheSubscriberGetsAnError() {
        first.answers = call -> HandNode.error(-32601, "the method does not exist");
        second.answers = first.answers;
        feed(false, "first");
        join();
        pool.newest().end(true);
        timer.pass(0);
        assertThat(joined).singleElement().satisfies(reply -> {
            assertThat(code(reply)).isEqualTo(-32601);
            assertThat(reply.toString()).contains("no \"newPendingTransactions\" subscription in eth namespace");
        });
        join();
        assertThat(joined).hasSize(2);
        assertThat(pool.feeds).as("not asked again at once").hasSize(1);
    }

    @Test
    void ifNoNodeCanBeReachedTheSubscriberMayTryAgain() {
        first.answers = call -> HandNode.unreachable();
        second.answers = first.answers;
        feed(false);
        join();
        timer.pass(SECOND);
        assertThat(joined)
                .singleElement()
                .satisfies(reply -> assertThat(code(reply)).isEqualTo(-32603));
    }

    @ParameterizedTest
    @CsvSource({"WRONG_CHAIN, false, -32601", "DOWN, false, -32603", "HEALTHY, true, -32603"})
    void theSubscriberMayTryAgainIfANodeMayComeBack(Health health, boolean drained, int code) {
        first.answers = call -> HandNode.error(-32601, "the method does not exist");
        second.health = health;
        second.drain(drained);
        feed(false);
        join();
        assertThat(joined)
                .singleElement()
                .satisfies(reply -> assertThat(code(reply)).isEqualTo(code));
        assertThat(second.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "[]", "true"})
    void aNodeWhoseFilterHasNoIdIsNotPolled(String id) {
        first.answers = call -> HandNode.result(id);
        second.answers = call -> filterAnswer(call.method(), "[" + hash(1) + "]");
        feed(false);
        join();
        timer.pass(SECOND);
        assertThat(first.texts()).containsExactly("eth_newPendingTransactionFilter[]");
        assertThat(told).containsExactly(hash(1));
    }

    @Test
    void theIdOfAFilterMayBeANumber() {
        first.answers = call ->
                call.method().equals("eth_newPendingTransactionFilter") ? HandNode.result("7") : HandNode.result("[]");
        feed(false);
        join();
        timer.pass(SECOND);
        assertThat(first.texts()).endsWith("eth_getFilterChanges[7]");
    }

    @Test
    void aFilterWhoseIdComesAfterEverySubscriptionEndedIsRemoved() {
        feed(false);
        feed.join(timer.now() + SECOND, failure -> joined.add(failure == null ? JOINED : failure));
        timer.pass(0);
        timer.pass(SECOND);
        assertThat(joined).singleElement().isInstanceOf(RpcReply.Failure.class);
        first.answers = call -> HandNode.result("true");
        first.asked.get(0).answer(HandNode.result("\"0x7\""));
        assertThat(first.texts()).endsWith("eth_uninstallFilter[\"0x7\"]");
    }

    @Test
    void subscriptionsEndIfNoNodeTakesOverInTime() {
        feed(false, "first");
        second.health = Health.DOWN;
        first.answers = call -> HandNode.unreachable();
        join();
        pool.newest().listener.began(1);
        pool.newest().end(false);
        for (int i = 0; i < 9; i++) {
            timer.pass(SECOND);
            if (!pool.newest().closed) {
                pool.newest().end(false);
            }
        }
        assertThat(lost).isEmpty();
        first.health = Health.DOWN;
        timer.pass(30 * SECOND);
        assertThat(lost).hasSizeBetween(1, 4);
        assertThat(lost.get(0).code()).isEqualTo(-32603);
    }

    @Test
    void wholeTransactionsComeOnlyFromNodesThatSendThemWhole() {
        feed(true, "first", "second");
        join();
        assertThat(pool.newest().call.params()).hasToString("[\"newPendingTransactions\",true]");
        pool.newest().listener.began(1);
        pool.newest().tell(hash(1));
        assertThat(pool.newest().node).isSameAs(second);
        pool.newest().listener.began(1);
        String whole = "{\"hash\":" + hash(1) + ",\"nonce\":\"0x1\"}";
        pool.newest().tell(whole);
        pool.newest().tell(whole);
        assertThat(told).containsExactly(whole);
        assertThat(first.asked).isEmpty();
    }
}
