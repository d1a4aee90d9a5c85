package io.weir.pipeline.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.cache.BlockPrefetcher.Fetches;
import io.weir.pipeline.cache.Fetch.BlockNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lookups of transactions while blocks are being fetched that may hold them. */
class ArrivalsTest {

    private long nanos;
    private final Fetches fetches = new Fetches(() -> nanos);
    private final Arrivals arrivals = fetches.arrivals();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> ended = new ArrayList<>();
    private int blocks;

    @BeforeEach
    void stopTheClock() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private Fetch fetch() {
        return requireNonNull(fetches.open(false, new BlockNames(null, ++blocks, true), false));
    }

    private void arrive(Fetch fetch, String... transactions) {
        fetches.arrived(fetch, "hash of " + fetch.names().get(0), blocks, List.of(transactions));
        channel.runPendingTasks();
    }

    private void lookUp(String transaction) {
        long now = System.nanoTime();
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), "eth_getTransactionByHash", RawJson.of("[]")),
                Caller.PROXY,
                new NetworkId("testnet"),
                channel.eventLoop(),
                now,
                now + TimeUnit.MINUTES.toNanos(1));
        arrivals.await(transaction, context, () -> ended.add(transaction));
        channel.runPendingTasks();
    }

    private void pass(long millis) {
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runPendingTasks();
    }

    @Test
    void aLookupWaitsForTheBlockThatHoldsItsTransactionAndForNoOther() {
        Fetch first = fetch();
        Fetch second = fetch();
        lookUp("a");
        lookUp("b");
        arrive(second, "b", "c");
        assertThat(ended).containsExactly("b");
        arrive(first, "d");
        assertThat(ended).containsExactly("b", "a");
    }

    @Test
    void aLookupDoesNotWaitForABlockThatIsFetchedLater() {
        Fetch first = fetch();
        lookUp("a");
        fetch();
        arrive(first);
        assertThat(ended).containsExactly("a");
    }

    @Test
    void aFetchThatFailsEndsTheWaitForIt() {
        Fetch failing = fetch();
        lookUp("a");
        fetches.settle(failing, false);
        channel.runPendingTasks();
        assertThat(ended).containsExactly("a");
    }

    @Test
    void aLookupWaitsForABoundedTime() {
        fetch();
        lookUp("a");
        pass(249);
        assertThat(ended).isEmpty();
        pass(2);
        assertThat(ended).containsExactly("a");
    }

    @Test
    void whereFetchesTakeLongALookupWaitsForTwiceTheTimeOfTheSlowestOfLate() {
        Fetch slow = fetch();
        pass(400);
        arrive(slow);
        fetch();
        lookUp("a");
        pass(799);
        assertThat(ended).isEmpty();
        pass(2);
        assertThat(ended).containsExactly("a");
    }

    @Test
    void aFetchThatHangsMakesNoLookupWaitLongerThanTwoSeconds() {
        Fetch hanging = fetch();
        pass(60_000);
        arrive(hanging);
        fetch();
        lookUp("a");
        pass(1_999);
        assertThat(ended).isEmpty();
        pass(2);
        assertThat(ended).containsExactly("a");
    }

    @Test
    void fetchesThatFailSayNothingAboutTheTimeOfAFetch() {
        Fetch failing = fetch();
        pass(60_000);
        fetches.settle(failing, false);
        fetch();
        lookUp("a");
        pass(251);
        assertThat(ended).containsExactly("a");
    }

    @Test
    void whereFetchesWereSlowOnceTheWaitFallsWithFastOnes() {
        Fetch slow = fetch();
        pass(2_000);
        arrive(slow);
        for (int i = 0; i < 20; i++) {
            arrive(fetch());
        }
        fetch();
        lookUp("a");
        pass(300);
        assertThat(ended).containsExactly("a");
    }

    @Test
    void withoutAnyFetchNoLookupWaits() {
        assertThat(arrivals.isAwaited()).isFalse();
        arrive(fetch(), "a");
        assertThat(arrivals.isAwaited()).isFalse();
    }

    @Test
    void lookupsThatNeverFindTheirTransactionStopWaitingButForOneInAWhile() {
        int waited = 0;
        for (int i = 0; i < 10 * Arrivals.REWARD; i++) {
            Fetch other = fetch();
            if (arrivals.isAwaited()) {
                waited++;
                lookUp("a");
            }
            arrive(other, "b");
        }
        assertThat(waited).isEqualTo(Arrivals.REWARD + 9);
    }

    @Test
    void onceAWaitHasPaidLookupsWaitAMomentForTheCallThatTheyOvertook() {
        Fetch first = fetch();
        lookUp("a");
        arrive(first, "a");
        assertThat(arrivals.isAwaited()).isTrue();
        lookUp("b");
        lookUp("c");
        pass(99);
        Fetch second = fetch();
        pass(2);
        assertThat(ended).containsExactly("a");
        arrive(second, "b");
        assertThat(ended).containsExactly("a", "b", "c");
    }

    @Test
    void aLookupThatOvertookItsCallEndsWithTheArrivalOfTheBlock() {
        Fetch first = fetch();
        lookUp("a");
        arrive(first, "a");
        lookUp("b");
        arrive(fetch(), "b");
        assertThat(ended).containsExactly("a", "b");
    }

    @Test
    void lookupsThatOvertakeNoCallStopWaiting() {
        Fetch first = fetch();
        lookUp("a");
        arrive(first, "a");
        for (int i = 0; arrivals.isAwaited(); i++) {
            lookUp("other " + i);
            pass(101);
        }
        assertThat(ended).hasSize(1 + Arrivals.REWARD / 4);
    }
}
