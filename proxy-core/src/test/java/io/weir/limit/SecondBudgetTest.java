package io.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SecondBudgetTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX = 500;

    /** Units that were taken at one moment. */
    private record Taken(long nanos, long units) {}

    @Test
    void noSecondEverHasMoreThanTheBoundWhateverThreadsTake() throws InterruptedException {
        AtomicLong clock = new AtomicLong(-7 * SECOND);
        SecondBudget budget = new SecondBudget(MAX, clock.get());
        Queue<Taken> all = new ConcurrentLinkedQueue<>();
        int threads = 8;
        CountDownLatch done = new CountDownLatch(threads);
        for (int thread = 0; thread < threads; thread++) {
            Random random = new Random(thread);
            new Thread(() -> {
                        for (int call = 0; call < 10_000 / threads; call++) {
                            long now = clock.addAndGet(random.nextInt(2_000_000));
                            long units = 1 + random.nextInt(26);
                            if (budget.tryTake(units, 0, now)) {
                                all.add(new Taken(now, units));
                            }
                        }
                        done.countDown();
                    })
                    .start();
        }
        done.await();
        assertThat(mostInASecond(all)).isBetween(MAX * 9 / 10, MAX * 105 / 100);
    }

    private static long mostInASecond(Collection<Taken> all) {
        List<Taken> taken =
                all.stream().sorted(Comparator.comparingLong(Taken::nanos)).toList();
        long most = 0;
        for (int first = 0; first < taken.size(); first++) {
            long sum = 0;
            for (int i = first;
                    i < taken.size() && taken.get(i).nanos() - taken.get(first).nanos() < SECOND;
                    i++) {
                sum += taken.get(i).units();
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    @Test
    void theWaitIsOverToTheNanosecond() {
        SecondBudget budget = new SecondBudget(MAX, 0);
        assertThat(budget.tryTake(300, 0, 5)).isTrue();
        assertThat(budget.tryTake(200, 0, 500_000_000)).isTrue();
        assertThat(budget.waitNanos(0, 600_000_000)).isZero();
        long now = 700_000_000;
        long wait = budget.waitNanos(301, now);
        assertThat(budget.fits(301, now + wait - 1)).isFalse();
        assertThat(budget.fits(301, now + wait)).isTrue();
        assertThat(now + wait).isEqualTo(500_000_000 + SECOND + SECOND / 50);
    }

    @Test
    void aShorterWaitIsEnoughForLess() {
        SecondBudget budget = new SecondBudget(MAX, 0);
        budget.tryTake(300, 0, 0);
        budget.tryTake(200, 0, SECOND / 2);
        assertThat(SECOND / 2 + budget.waitNanos(300, SECOND / 2)).isEqualTo(SECOND + SECOND / 50);
        assertThat(budget.waitNanos(MAX + 1, SECOND / 2)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatExceedsTheBoundDelaysLaterCalls() {
        SecondBudget budget = new SecondBudget(MAX, 0);
        assertThat(budget.tryTake(MAX, 0, 0)).isTrue();
        assertThat(budget.tryTake(26, 25, 0)).isFalse();
        assertThat(budget.tryTake(25, 25, 0)).isTrue();
        budget.take(100, SECOND / 2);
        assertThat(budget.taken(SECOND / 2)).isEqualTo(625);
        assertThat(budget.fits(400, SECOND + SECOND / 50)).isTrue();
        assertThat(budget.fits(401, SECOND + SECOND / 50)).isFalse();
        assertThat(budget.taken(10 * SECOND)).isZero();
    }
}
