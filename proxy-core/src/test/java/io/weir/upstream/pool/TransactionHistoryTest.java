package io.weir.upstream.pool;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.weir.config.UpstreamConfig.Transactions;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.pool.TransactionHistory.MissCheck.Miss;
import io.weir.upstream.pool.TransactionHistory.MissCheck.Result;
import java.lang.reflect.Field;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Record of the transactions that a node lacks. */
class TransactionHistoryTest {

    private static final int CHECKS = 6;

    private long now = 1;
    private final TransactionHistory history = history(Transactions.LEARNED, CHECKS);

    private TransactionHistory history(Transactions configured, int checks) {
        return new TransactionHistory(
                (loop, call, deadline, cause, taker) -> {},
                configured,
                false,
                checks,
                new Counter(),
                new Counter(),
                () -> now);
    }

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
    void theListOfCheckedTransactionsOutlivesTheLargestCount() throws ReflectiveOperationException {
        Field next = TransactionHistory.class.getDeclaredField("nextChecked");
        next.setAccessible(true);
        TransactionHistory busy = history(Transactions.LEARNED, 1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(busy.takeCheck(lookup(i))).isTrue();
            assertThat(next.getInt(busy)).isBetween(0, 63);
        }
    }

    private Miss miss(int number) {
        return requireNonNull(history.missed(lookup(number), 16));
    }

    private void mark() {
        history.checked(miss(1), Result.LACKS);
    }

    @Test
    void onlyACheckOfTheNodeItselfMarksIt() {
        Miss miss = miss(1);
        assertThat(history.isLacking()).as("another node's word").isFalse();
        history.checked(miss, Result.HAS);
        assertThat(history.isLacking()).isFalse();
        now += TransactionHistory.CHECK_GAP_NANOS;
        history.checked(miss(1), Result.UNANSWERED);
        assertThat(history.isLacking()).isFalse();
        now += TransactionHistory.CHECK_GAP_NANOS;
        mark();
        assertThat(history.isLacking()).isTrue();
        assertThat(history.takeCheck(lookup(2)))
                .as("a marked one needs no sample")
                .isFalse();
    }

    @Test
    void checksOfANodeHaveAGapBetweenThem() {
        assertThat(history.missed(lookup(1), 16)).isNotNull();
        assertThat(history.missed(lookup(2), 16)).isNull();
        now += TransactionHistory.CHECK_GAP_NANOS;
        assertThat(history.missed(lookup(2), 16)).isNotNull();
    }

    @Test
    void aMarkedNodeIsCheckedAgainAndLosesTheMarkWhereItHoldsNoMore() {
        mark();
        assertThat(history.dueRecheck()).isNull();
        now += TransactionHistory.RECHECK_NANOS;
        Miss again = requireNonNull(history.dueRecheck());
        assertThat(again.lookup().params()).isEqualTo(lookup(1).params());
        assertThat(history.dueRecheck()).as("while it is under way").isNull();
        history.checked(again, Result.LACKS);
        assertThat(history.isLacking()).isTrue();
        now += TransactionHistory.RECHECK_NANOS;
        history.checked(requireNonNull(history.dueRecheck()), Result.HAS);
        assertThat(history.isLacking()).isFalse();
        assertThat(history.dueRecheck()).isNull();
    }

    @Test
    void rechecksWithoutAnAnswerAreRepeatedAndInTheEndTheMarkIsDropped() {
        mark();
        now += TransactionHistory.RECHECK_NANOS;
        for (int i = 0; i < TransactionHistory.MAX_UNANSWERED; i++) {
            assertThat(history.isLacking()).isTrue();
            history.checked(requireNonNull(history.dueRecheck()), Result.UNANSWERED);
            now += TransactionHistory.RETRY_NANOS;
        }
        assertThat(history.isLacking()).isFalse();
        assertThat(history.dueRecheck()).isNull();
    }

    @Test
    void theConfigurationIsFinal() {
        TransactionHistory all = history(Transactions.ALL, CHECKS);
        assertThat(all.missed(lookup(1), 16)).isNull();
        assertThat(all.takeCheck(lookup(2))).isFalse();

        TransactionHistory recent = history(Transactions.RECENT, CHECKS);
        assertThat(recent.isLacking()).isTrue();
        assertThat(recent.missed(lookup(1), 16)).isNull();
        assertThat(recent.dueRecheck()).isNull();
    }
}
