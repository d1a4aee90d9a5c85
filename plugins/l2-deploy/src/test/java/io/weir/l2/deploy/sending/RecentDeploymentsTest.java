package io.weir.l2.deploy.sending;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentDeploymentsTest {
    private static final Expected EXPECTED = new Expected(Felt.ONE, Felt.ZERO);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final RecentDeployments recent = new RecentDeployments(3, Duration.ofNanos(10), clock::get);

    private static DeploymentKey key(int number) {
        return new DeploymentKey("net", String.valueOf(number));
    }

    @Test
    void oneIsKnownForItsTimeOnly() {
        recent.put(key(1), EXPECTED);
        clock.addAndGet(9);
        assertThat(recent.get(key(1))).isEqualTo(EXPECTED);
        assertThat(recent.get(key(2))).isNull();
        clock.addAndGet(1);
        assertThat(recent.get(key(1))).isNull();
        assertThat(recent.size()).isZero();
    }

    @Test
    void overTheirNumberTheOldestGoes() {
        for (int i = 0; i < 4; i++) {
            recent.put(key(i), EXPECTED);
        }
        recent.put(key(1), EXPECTED);
        recent.put(key(5), EXPECTED);
        assertThat(recent.size()).isEqualTo(3);
        assertThat(recent.get(key(0))).isNull();
        assertThat(recent.get(key(2))).isNull();
        assertThat(recent.get(key(1))).as("sent again since").isNotNull();
    }

    @Test
    void oneThatIsForgottenIsNotKnown() {
        recent.put(key(1), EXPECTED);
        recent.forget(key(1));
        assertThat(recent.get(key(1))).isNull();
    }

    @Test
    void theSameOnAnotherNetworkIsAnotherOne() {
        recent.put(key(1), EXPECTED);
        assertThat(recent.get(new DeploymentKey("other", "1"))).isNull();
    }
}
