package io.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShareTest {

    private static final int MAX = 900;

    private final Budget budget = new Budget(MAX);

    private static int takeAll(Share share) {
        int taken = 0;
        while (share.tryTake(1)) {
            taken++;
        }
        return taken;
    }

    @Test
    void oneAloneGetsEightNinths() {
        assertThat(takeAll(budget.share("a"))).isEqualTo(MAX * 8 / 9);
    }

    @Test
    void whoComesNextGetsAPartOfTheRest() {
        takeAll(budget.share("a"));
        int second = takeAll(budget.share("b"));
        assertThat(second).isEqualTo(89);
        assertThat(takeAll(budget.share("c"))).isEqualTo(10);
    }

    @Test
    void whoGivesBackLetsTheOtherGetAsMuch() {
        Share first = budget.share("a");
        Share second = budget.share("b");
        takeAll(first);
        for (int i = 0; i < MAX; i++) {
            first.give(1);
            second.tryTake(1);
            first.tryTake(1);
        }
        first.give(1);
        int difference = takeAll(second) + takeAll(first);
        assertThat(budget.taken()).as("two of them").isBetween(MAX * 16L / 17 - 2, MAX * 16L / 17 + 2);
        assertThat(difference).isBetween(0, 3);
    }

    @Test
    void whoHasNothingMayTakeWhateverIsFree() {
        budget.share("a").tryTake(100);
        assertThat(budget.share("b").tryTake(MAX - 99)).isFalse();
        assertThat(budget.share("b").tryTake(MAX - 100)).isTrue();
        assertThat(budget.share("c").tryTake(1)).isFalse();
    }

    @Test
    void aBudgetOfFewUnitsMayBeUsedUpByOne() {
        Budget small = new Budget(8);
        assertThat(takeAll(small.share("a"))).isEqualTo(8);
    }

    @Test
    void reservationsOfAHolderCountInItsShareUntilTheyAreClosed() {
        Share share = budget.share("a");
        Reservation reservation = share.reserve();
        assertThat(reservation.tryAdd(600)).isTrue();
        assertThat(share.permits(201)).isFalse();
        assertThat(reservation.permits(201)).isFalse();
        assertThat(budget.share("b").permits(201)).as("another holder").isTrue();
        reservation.add(300);
        reservation.give(100);
        assertThat(reservation.tryAdd(1)).isFalse();
        reservation.lowerTo(100);
        assertThat(reservation.tryAdd(600)).isTrue();
        reservation.close();
        assertThat(budget.taken()).isZero();
        assertThat(share.permits(MAX)).as("it holds nothing").isTrue();
    }

    @Test
    void whatIsHandedOverCountsForTheReceiverAlone() {
        Reservation arriving = budget.reserve();
        assertThat(arriving.tryAdd(700)).isTrue();
        Reservation answer = budget.share("a").reserve();
        answer.add(50);
        assertThat(answer.permits(700)).as("in sum").isFalse();
        arriving.handOver(() -> {
            assertThat(answer.permits(700)).as("it is there already").isTrue();
            answer.add(700);
        });
        assertThat(budget.taken()).isEqualTo(750);
        assertThat(budget.share("a").permits(100)).isFalse();
    }

    @Test
    void whatAnotherHolderHandsOverMustFitIntoTheShareOfTheReceiver() {
        assertThat(permitsHandedOver(budget.reserve())).as("of nobody").isFalse();
        assertThat(permitsHandedOver(budget.reserve("b")))
                .as("of another holder")
                .isFalse();
        assertThat(permitsHandedOver(budget.reserve("a"))).as("its own").isTrue();
        assertThat(budget.taken()).isZero();
    }

    private boolean permitsHandedOver(Reservation arriving) {
        boolean[] permitted = {false};
        try (Reservation answer = budget.reserve("a")) {
            answer.add(150);
            arriving.add(700);
            arriving.handOver(() -> permitted[0] = answer.permits(700));
        }
        return permitted[0];
    }

    @Test
    void aShareIsTheSameAsLongAsItIsUsed() {
        Reservation reservation = budget.reserve("a");
        reservation.add(500);
        System.gc();
        assertThat(budget.share("a").permits(350)).isFalse();
        reservation.close();
    }

    @Test
    void whateverHoldersDoTheSumIsRightAndSomethingStaysFree() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Share> shares = new ArrayList<>();
        long[] held = new long[5];
        for (int i = 0; i < held.length; i++) {
            shares.add(budget.share(i));
        }
        for (int step = 0; step < 100_000; step++) {
            int holder = random.nextInt(held.length);
            if (random.nextInt(3) > 0) {
                int amount = 1 + random.nextInt(9);
                boolean had = held[holder] > 0;
                if (shares.get(holder).tryTake(amount)) {
                    held[holder] += amount;
                    long free = MAX - budget.taken();
                    assertThat(free * 8 + 8)
                            .as("seed %d, step %d", seed, step)
                            .isGreaterThanOrEqualTo(had ? held[holder] : 0);
                }
            } else if (held[holder] > 0) {
                long amount = 1 + random.nextLong(held[holder]);
                shares.get(holder).give(amount);
                held[holder] -= amount;
            }
        }
        long sum = 0;
        for (int i = 0; i < held.length; i++) {
            shares.get(i).give(held[i]);
            sum += held[i];
        }
        assertThat(sum).as("seed %d", seed).isPositive();
        assertThat(budget.taken()).as("seed %d", seed).isZero();
    }
}
