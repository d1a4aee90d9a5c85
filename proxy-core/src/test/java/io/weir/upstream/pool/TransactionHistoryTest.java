package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.UpstreamConfig.Transactions;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is learned of the transactions that a node lacks. */
class TransactionHistoryTest {

    private static final int CHECKS = 6;

    private long now = 1;
    private final TransactionHistory history = new TransactionHistory(Transactions.LEARNED, CHECKS, () -> now);

    private static RpcCall lookup(int number) {
        return new RpcCall(RawJson.of("9"), "eth_getTransactionReceipt", RawJson.of("[\"0x" + number + "\"]"));
    }

    private int checksOf(int nulls) {
        int checks = 0;
        for (int i = 0; i < nulls; i++) {
            checks += history.takeCheck(lookup(1_000 + i)) ? 1 : 0;
        }
        return checks;
    }

    @Test
    void theFirstNullsAreCheckedAndThenSoManyAMinute() {
        assertThat(checksOf(1_000)).isEqualTo(CHECKS);
        now += TimeUnit.SECONDS.toNanos(30);
        assertThat(checksOf(CHECKS)).as("transactions that were checked").isZero();
        assertThat(checksOf(1_000)).isEqualTo(CHECKS / 2);
        now += TimeUnit.HOURS.toNanos(1);
        int checks = 0;
        for (int i = 0; i < 1_000; i++) {
            checks += history.takeCheck(lookup(10_000 + i)) ? 1 : 0;
        }
        assertThat(checks).isEqualTo(CHECKS);
    }

    @Test
    void aTransactionThatIsAskedForAgainAndAgainIsCheckedOnce() {
        assertThat(history.takeCheck(lookup(1))).isTrue();
        assertThat(history.takeCheck(lookup(1))).isFalse();
        assertThat(history.takeCheck(lookup(2))).isTrue();
    }

    @Test
    void oneTransactionOfAKnownBlockMarksANode() {
        assertThat(history.isLacking()).isFalse();
        history.missed(lookup(1), true);
        assertThat(history.isLacking()).isTrue();
        assertThat(history.takeCheck(lookup(2)))
                .as("a marked one needs no sample")
                .isFalse();
    }

    @Test
    void severalTransactionsWithoutABlockMarkANodeWhereTheyComeSoonAfterEachOther() {
        history.missed(lookup(1), false);
        history.missed(lookup(2), false);
        now += TransactionHistory.RECHECK_NANOS + 1;
        history.missed(lookup(3), false);
        assertThat(history.isLacking()).isFalse();
        history.missed(lookup(4), false);
        history.missed(lookup(5), false);
        assertThat(history.isLacking()).isTrue();
    }

    @Test
    void aMarkedNodeIsAskedAgainAndLosesTheMarkWhereItHasTheTransaction() {
        history.missed(lookup(1), true);
        assertThat(history.dueRecheck()).isNull();
        now += TransactionHistory.RECHECK_NANOS;
        RpcCall again = history.dueRecheck();
        assertThat(again.params()).isEqualTo(lookup(1).params());
        assertThat(history.dueRecheck()).as("while it is under way").isNull();
        history.rechecked(false);
        assertThat(history.isLacking()).isTrue();
        now += TransactionHistory.RECHECK_NANOS;
        assertThat(history.dueRecheck()).isNotNull();
        history.rechecked(true);
        assertThat(history.isLacking()).isFalse();
        assertThat(history.dueRecheck()).isNull();
    }

    @Test
    void aRecheckWithoutAnAnswerIsRepeated() {
        history.missed(lookup(1), true);
        now += TransactionHistory.RECHECK_NANOS;
        assertThat(history.dueRecheck()).isNotNull();
        now += TransactionHistory.RETRY_NANOS;
        assertThat(history.dueRecheck()).isNotNull();
        assertThat(history.isLacking()).isTrue();
    }

    @Test
    void whatIsConfiguredStands() {
        TransactionHistory all = new TransactionHistory(Transactions.ALL, CHECKS, () -> now);
        all.missed(lookup(1), true);
        assertThat(all.isLacking()).isFalse();
        assertThat(all.takeCheck(lookup(2))).isFalse();

        TransactionHistory recent = new TransactionHistory(Transactions.RECENT, CHECKS, () -> now);
        assertThat(recent.isLacking()).isTrue();
        assertThat(recent.dueRecheck()).isNull();
    }
}
