package io.weir.pipeline.head;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MiningOnDemandTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long now = Long.MAX_VALUE - SECOND;
    private long head = 100;
    private long blockNanos;
    private MiningOnDemand mining = new MiningOnDemand("4242", false, () -> now);

    /** Nodes name the head, a block higher than before or the same. */
    private void ask(boolean higher) {
        if (higher) {
            head++;
            mining.rose(head);
        }
        mining.confirmed(head, now);
        now++;
    }

    private void send(boolean mined) {
        ask(false);
        mining.accepted(mining.begin(head, blockNanos), head);
        now += SECOND;
        ask(mined);
    }

    private void send(int times, boolean mined) {
        for (int i = 0; i < times; i++) {
            send(mined);
        }
    }

    private void isNot() {
        send(3, false);
        assertThat(mining.isActive()).isFalse();
    }

    @Test
    void aChainWithoutHistoryMayMineOnDemandButIsNotKnownTo() {
        assertThat(mining.isActive()).isTrue();
        assertThat(mining.isCertain()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"31337, false, 1, 1", "4242, false, 1, 1", "1, true, 1, 0", "1, true, 16, 0", "1, true, 17, 1"})
    void aLossOfBlocksIsARollbackIfNodesMayMineOnDemandOrItIsDeep(
            String chainId, boolean blockTimeKnown, int depth, int rollbacks) {
        mining = new MiningOnDemand(chainId, blockTimeKnown, () -> now);
        AtomicInteger seen = new AtomicInteger();
        mining.whenRolledBack(seen::incrementAndGet);
        mining.wentBack(head, head - depth);
        assertThat(seen).hasValue(rollbacks);
        mining.changedByHand();
        assertThat(seen).hasValue(rollbacks + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1337", "31337"})
    void theChainOfADevelopmentNodeAlwaysMinesOnDemand(String chainId) {
        mining = new MiningOnDemand(chainId, false, () -> now);
        send(50, false);
        assertThat(mining.isActive()).isTrue();
        assertThat(mining.isCertain()).isTrue();
    }

    @Test
    void aChainWithAConfiguredBlockTimeDoesNotMineOnDemandUntilItHasShownThatItDoes() {
        mining = new MiningOnDemand("1", true, () -> now);
        assertThat(mining.isActive()).isFalse();
        send(MiningOnDemand.FIRST_ROW - 1, true);
        assertThat(mining.isActive()).isFalse();
        send(true);
        assertThat(mining.isActive()).isTrue();
    }

    @Test
    void onAChainWithAShortBlockTimeABlockSoonAfterATransactionShowsNothing() {
        mining = new MiningOnDemand("42161", true, () -> now);
        blockNanos = SECOND / 4;
        send(1_000, true);
        assertThat(mining.isActive()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1"})
    void moreOrFewerBlocksThanTransactionsShowNothing(int transactions, int blocks) {
        mining = new MiningOnDemand("1", true, () -> now);
        for (int i = 0; i < 1_000; i++) {
            ask(false);
            for (int j = 0; j < transactions; j++) {
                mining.accepted(mining.begin(head, blockNanos), head);
            }
            for (int j = 0; j < blocks; j++) {
                now += SECOND / 2;
                ask(true);
            }
        }
        assertThat(mining.isActive()).isFalse();
    }

    @Test
    void threeTransactionsWithoutABlockShowABlockTime() {
        send(2, false);
        assertThat(mining.isActive()).isTrue();
        send(false);
        assertThat(mining.isActive()).isFalse();
        assertThat(mining.isCertain()).isFalse();
    }

    @Test
    void blocksWithoutTransactionsShowABlockTime() {
        for (int i = 0; i < 6; i++) {
            assertThat(mining.isActive()).isTrue();
            ask(false);
            now += SECOND;
            ask(true);
        }
        assertThat(mining.isActive()).isFalse();
    }

    @Test
    void aTransactionWithoutABlockNowAndThenChangesNothing() {
        for (int i = 0; i < 100; i++) {
            send(false);
            send(8, true);
        }
        assertThat(mining.isActive()).isTrue();
    }

    @Test
    void aRowOfTransactionsWithBlocksShowsMiningOnDemand() {
        isNot();
        send(MiningOnDemand.FIRST_ROW - 1, true);
        assertThat(mining.isActive()).isFalse();
        send(true);
        assertThat(mining.isActive()).isTrue();
        assertThat(mining.isCertain()).isTrue();
    }

    @Test
    void aRowThatATransactionWithoutABlockInterruptsBeginsAgain() {
        isNot();
        send(MiningOnDemand.FIRST_ROW - 1, true);
        send(false);
        send(MiningOnDemand.FIRST_ROW - 1, true);
        assertThat(mining.isActive()).isFalse();
    }

    @Test
    void afterAnErrorTheRowMustBeLonger() {
        isNot();
        send(MiningOnDemand.FIRST_ROW, true);
        isNot();
        send(4 * MiningOnDemand.FIRST_ROW - 1, true);
        assertThat(mining.isActive()).isFalse();
        send(true);
        assertThat(mining.isActive()).isTrue();
    }

    @Test
    void aBlockThatIsFoundLongAfterTheTransactionShowsNothing() {
        isNot();
        for (int i = 0; i < 50; i++) {
            ask(false);
            mining.accepted(mining.begin(head, blockNanos), head);
            now += MiningOnDemand.WINDOW_NANOS + 1;
            ask(true);
        }
        assertThat(mining.isActive()).isFalse();
    }

    @Test
    void aHeadThatWasNotKnownJustBeforeTheTransactionShowsNothing() {
        for (int i = 0; i < 50; i++) {
            now += 10 * SECOND;
            mining.accepted(mining.begin(head, blockNanos), head);
            now += SECOND;
            mining.confirmed(head, now);
        }
        assertThat(mining.isActive()).isTrue();
    }

    @Test
    void aBlockThatIsSeenBeforeTheAnswerIsTheTransactions() {
        for (int i = 0; i < 50; i++) {
            ask(false);
            MiningOnDemand.Sent sent = mining.begin(head, blockNanos);
            ask(true);
            mining.accepted(sent, head);
            now += SECOND;
        }
        assertThat(mining.isActive()).isTrue();
    }

    @Test
    void aChainThatWasChangedByHandMinesOnDemandUntilItStops() {
        isNot();
        mining.changedByHand();
        assertThat(mining.isActive()).isTrue();
        assertThat(mining.isCertain()).isTrue();
        isNot();
    }

    @Test
    void aRollbackShowsNothing() {
        for (int i = 0; i < 50; i++) {
            ask(false);
            mining.accepted(mining.begin(head, blockNanos), head);
            now += SECOND;
            head--;
            mining.wentBack(head + 1, head);
            ask(false);
        }
        assertThat(mining.isActive()).isTrue();
    }
}
