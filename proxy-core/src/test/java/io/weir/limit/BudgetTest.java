package io.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BudgetTest {

    @Test
    void noMoreIsTakenThanTheBound() {
        Budget budget = new Budget(10);
        assertThat(budget.tryTake(6)).isTrue();
        assertThat(budget.tryTake(5)).isFalse();
        assertThat(budget.tryTake(Long.MAX_VALUE)).isFalse();
        assertThat(budget.hasCapacity()).isTrue();
        assertThat(budget.tryTake(4)).isTrue();
        assertThat(budget.hasCapacity()).isFalse();
        budget.give(1);
        assertThat(budget.hasCapacity()).isTrue();
    }

    @Test
    void existingBytesAreCountedEvenOverTheBound() {
        Budget budget = new Budget(10);
        budget.take(25);
        assertThat(budget.taken()).isEqualTo(25);
        assertThat(budget.tryTake(0)).isFalse();
        budget.give(20);
        assertThat(budget.tryTake(5)).isTrue();
    }

    @Test
    void aReservationGivesBackEverythingOnce() {
        Budget budget = new Budget(10);
        Reservation reservation = budget.reserve();
        assertThat(reservation.tryAdd(4)).isTrue();
        assertThat(reservation.tryAdd(7)).isFalse();
        reservation.add(20);
        assertThat(budget.taken()).isEqualTo(24);
        reservation.close();
        reservation.close();
        reservation.add(3);
        assertThat(reservation.tryAdd(3)).isFalse();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void anAmountTakenOverFromAnotherReservationIsCountedOnce() {
        Budget budget = new Budget(10);
        Reservation giver = budget.reserve();
        Reservation taker = budget.reserve();
        giver.add(6);
        assertThat(taker.takeOver(giver, 4)).isEqualTo(4);
        assertThat(taker.takeOver(giver, 4)).isEqualTo(2);
        assertThat(budget.taken()).isEqualTo(6);
        giver.close();
        assertThat(budget.taken()).isEqualTo(6);
        taker.lowerTo(5);
        taker.lowerTo(7);
        assertThat(taker.taken()).isEqualTo(5);
        assertThat(budget.taken()).isEqualTo(5);
        taker.close();
        assertThat(taker.takeOver(giver, 1)).isZero();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void anAmountAddedDuringAHandOverComesFromTheHandedOverReservationAndTheRestIsGivenBack() {
        Budget budget = new Budget(10);
        Reservation giver = budget.reserve();
        Reservation taker = budget.reserve();
        giver.add(8);
        giver.handOver(() -> {
            taker.add(5);
            assertThat(budget.taken()).isEqualTo(8);
        });
        assertThat(budget.taken()).isEqualTo(5);
        taker.add(1);
        assertThat(budget.taken()).isEqualTo(6);
        taker.close();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void moreThanIsHandedOverIsTakenOfTheBudgetAndHandOversNest() {
        Budget budget = new Budget(100);
        Reservation outer = budget.reserve();
        Reservation inner = budget.reserve();
        Reservation taker = budget.reserve();
        outer.add(3);
        inner.add(4);
        outer.handOver(() -> {
            inner.handOver(() -> taker.add(6));
            assertThat(budget.taken()).isEqualTo(9);
            taker.add(2);
            assertThat(budget.taken()).isEqualTo(9);
        });
        assertThat(budget.taken()).isEqualTo(8);
    }

    @Test
    void aHandOverThatFailsGivesBackAllTheSame() {
        Budget budget = new Budget(10);
        Reservation giver = budget.reserve();
        giver.add(8);
        assertThatThrownBy(() -> giver.handOver(() -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(budget.taken()).isZero();
        Reservation other = budget.reserve();
        other.add(2);
        assertThat(budget.taken()).isEqualTo(2);
    }

    @Test
    void threadsTogetherNeverTakeTooMuch() {
        Budget budget = new Budget(7);
        AtomicLong highest = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(CompletableFuture.runAsync(() -> takeAndGive(budget, highest), threads));
            }
            all.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        assertThat(highest.get()).isBetween(1L, 7L);
        assertThat(budget.taken()).isZero();
    }

    private static void takeAndGive(Budget budget, AtomicLong highest) {
        for (int i = 0; i < 20_000; i++) {
            if (budget.tryTake(3)) {
                highest.accumulateAndGet(budget.taken(), Math::max);
                budget.give(3);
            }
        }
    }
}
