package io.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlaceSharesTest {

    private long nanos;
    private final PlaceShares places = new PlaceShares(32, () -> nanos);

    private int takeAll(Object holder) {
        int taken = 0;
        while (places.permits(holder)) {
            places.take(holder);
            taken++;
        }
        return taken;
    }

    private void passWindows(int windows) {
        nanos += windows * PlaceShares.WINDOW_NANOS;
    }

    @Test
    void aloneAHolderGetsNearlyAll() {
        assertThat(takeAll("a")).isEqualTo(29);
        assertThat(takeAll("b")).isEqualTo(3);
    }

    @Test
    void whoHasAnEighthLeavesFreeWhatSmallHoldersHadAMomentAgo() {
        for (int i = 0; i < 20; i++) {
            places.take("small" + i);
        }
        for (int i = 0; i < 20; i++) {
            places.give("small" + i);
        }
        assertThat(takeAll("a"))
                .as("4 as a small one, 12 that the small ones never had, one stays free")
                .isEqualTo(15);
        passWindows(1);
        assertThat(places.permits("a")).isFalse();
        passWindows(1);
        assertThat(places.permits("a")).isTrue();
    }

    @Test
    void smallHoldersTakeWhateverIsFree() {
        for (int i = 0; i < 20; i++) {
            places.take("other" + i);
        }
        for (int i = 0; i < 20; i++) {
            places.give("other" + i);
        }
        takeAll("a");
        for (int i = 0; i < 17; i++) {
            assertThat(places.permits("small" + i)).isTrue();
            places.take("small" + i);
        }
        assertThat(places.permits("one more")).isFalse();
    }

    @Test
    void aPauseOfSmallHoldersIsForgotten() {
        places.take("b");
        places.give("b");
        passWindows(10);
        assertThat(takeAll("a")).isEqualTo(29);
    }

    @Test
    void whatWasTakenAndGivenBackInAnyOrderLeavesNothing() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Deque<Object> taken = new ArrayDeque<>();
        for (int i = 0; i < 10_000; i++) {
            Object holder = random.nextInt(6);
            nanos += random.nextInt(50_000_000);
            if (random.nextBoolean() && places.permits(holder)) {
                places.take(holder);
                taken.add(holder);
            } else if (!taken.isEmpty()) {
                places.give(random.nextBoolean() ? taken.pollFirst() : taken.pollLast());
            }
            assertThat(taken).as("seed %d", seed).hasSizeLessThanOrEqualTo(32);
        }
        taken.forEach(places::give);
        passWindows(10);
        assertThat(takeAll("a")).as("seed %d", seed).isEqualTo(29);
    }
}
