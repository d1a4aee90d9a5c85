package io.weir.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AccessConfig.RateConfig;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A rate of two proxies, in virtual time. */
class SharedRateGateTest {

    private static final RateConfig RATE = new RateConfig(50, 50, false);

    private final AtomicLong clock = new AtomicLong();
    private final BucketRateGate shared = bucket();
    private final SharedRateGate one = new SharedRateGate("shop", RATE, clock::get);
    private final SharedRateGate other = new SharedRateGate("shop", RATE, clock::get);

    private BucketRateGate bucket() {
        return Objects.requireNonNull(BucketRateGate.of(RATE, clock::get));
    }

    private void tell(SharedRateGate gate) {
        long units = gate.tell();
        if (units > 0) {
            shared.charge(units);
            gate.told(shared.left());
        }
    }

    /** Sends as many calls as both take. Returns the number of those that were admitted. */
    private long askBoth(int seconds, boolean telling) {
        long admitted = 0;
        for (int i = 0; i < seconds * 100; i++) {
            clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
            for (SharedRateGate gate : List.of(one, other)) {
                while (gate.admit(1) == 0) {
                    admitted++;
                }
                if (telling && i % 10 == 9) {
                    tell(gate);
                }
            }
        }
        return admitted;
    }

    @Test
    void twoProxiesTogetherKeepToTheRate() {
        long admitted = askBoth(10, true);

        assertThat(admitted).isBetween(540L, 550L + 2 * 50);
    }

    @Test
    void whatBothAdmittedTooMuchIsPaidLater() {
        askBoth(10, true);
        long before = shared.left();

        long admitted = askBoth(20, true);

        assertThat(admitted).isBetween(1_000L + before - shared.left() - 1, 1_000L + before - shared.left() + 1);
        assertThat(shared.left()).isGreaterThan(-50);
    }

    @Test
    void aProxyThatIsAskedAloneHasTheWholeRate() {
        for (int i = 0; i < 1_000; i++) {
            clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));
            assertThat(one.admit(1)).as("call %d", i).isZero();
            if (i % 5 == 0) {
                tell(one);
                tell(other);
            }
        }
    }

    @Test
    void whatWasRefilledMeanwhileIsNotTold() {
        one.leave();
        for (int i = 0; i < 1_000; i++) {
            clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));
            assertThat(one.admit(1)).isZero();
        }
        for (int i = 0; i < 30; i++) {
            one.admit(1);
        }

        one.join();

        assertThat(one.tell()).isBetween(30L, 31L);
    }

    @Test
    void aReportThatFailedIsRepeated() {
        one.admit(7);
        long units = one.tell();
        one.admit(2);
        assertThat(one.tell()).as("while another report is under way").isZero();
        one.notTold(units);

        assertThat(one.tell()).isEqualTo(9);
    }

    @Test
    void whatWasGivenBackIsNotToldOrIsDeductedFromTheNextReport() {
        one.admit(7);
        one.giveBack(7);
        assertThat(one.tell()).isZero();
        one.admit(3);
        assertThat(one.tell()).isEqualTo(3);
        one.giveBack(3);
        one.told(47);
        assertThat(one.tell()).isZero();
        one.admit(5);

        assertThat(one.tell()).isEqualTo(2);
    }

    @Test
    void anotherRateIsAnotherBucket() {
        RateConfig faster = new RateConfig(60, 50, false);

        assertThat(new SharedRateGate("shop", faster, clock::get).name()).isNotEqualTo(one.name());
        assertThat(other.name()).isEqualTo(one.name());
    }
}
