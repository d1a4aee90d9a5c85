package io.weir.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.bench.restart.CatchUp.Range;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CatchUpTest {

    private final CatchUp catchUp = new CatchUp();

    /** Subscribes at block 100. */
    @BeforeEach
    void firstConnection() {
        catchUp.connected();
        catchUp.subscribed(100);
    }

    @Test
    void theFirstConnectionAsksForNothing() {
        assertThat(catchUp.head(101).isEmpty()).isTrue();
        assertThat(catchUp.logs(101).isEmpty()).isTrue();
    }

    @Test
    void headsWhoseLogsWereNotToldAreAskedForAsFarAsTheNextHead() {
        catchUp.head(101);
        catchUp.log(101);
        catchUp.head(102);
        catchUp.head(103);
        catchUp.connected();
        catchUp.subscribed(104);
        assertThat(catchUp.head(106)).isEqualTo(new Range(104, 105));
        assertThat(catchUp.logs(106)).as("block 101 may have more logs").isEqualTo(new Range(101, 106));
    }

    @Test
    void headsBeforeTheAnswerOfTheSubscriptionToLogsDoNotBoundTheLogs() {
        catchUp.head(101);
        catchUp.connected();
        assertThat(catchUp.head(103)).isEqualTo(new Range(102, 102));
        assertThat(catchUp.logs(103).isEmpty()).isTrue();
        catchUp.subscribed(104);
        assertThat(catchUp.head(104).isEmpty()).isTrue();
        assertThat(catchUp.logs(104)).isEqualTo(new Range(101, 104));
        assertThat(catchUp.logs(105).isEmpty()).isTrue();
    }

    @Test
    void logsThatWereToldBeforeTheAnswerAboutEarlierOnesCountOnceItCame() {
        int second = catchUp.connected();
        catchUp.subscribed(100);
        catchUp.head(102);
        Range asked = catchUp.logs(102);
        catchUp.log(105);
        catchUp.logsKnown(asked, second);
        catchUp.connected();
        catchUp.subscribed(107);
        assertThat(catchUp.logs(107)).isEqualTo(new Range(105, 107));
    }

    @Test
    void logsOfAConnectionThatNeverGotItsEarlierLogsDoNotCount() {
        int second = catchUp.connected();
        catchUp.subscribed(100);
        catchUp.head(102);
        Range asked = catchUp.logs(102);
        catchUp.log(105);
        catchUp.connected();
        catchUp.logsKnown(asked, second);
        catchUp.subscribed(107);
        assertThat(catchUp.logs(107)).isEqualTo(new Range(103, 107));
    }

    @Test
    void aProxyThatIsBehindIsAskedForItsHead() {
        catchUp.head(110);
        catchUp.log(110);
        catchUp.connected();
        catchUp.subscribed(108);
        assertThat(catchUp.head(108).isEmpty()).isTrue();
        assertThat(catchUp.logs(108)).isEqualTo(new Range(108, 108));
    }
}
