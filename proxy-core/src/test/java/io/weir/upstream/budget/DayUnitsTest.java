package io.weir.upstream.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.budget.DayUnits.OwnUse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Units of a day that several proxies use. */
class DayUnitsTest {

    private final AtomicLong wall = new AtomicLong(TimeUnit.DAYS.toMillis(20_000));
    private final DayUnits units = new DayUnits(wall::get, 0);

    @Test
    void whatOthersUsedIsNotLeft() {
        units.add(10);
        units.told(units.own(), 10, 60);

        assertThat(units.used()).isEqualTo(70);
        assertThat(units.own().units()).isEqualTo(10);
        assertThat(units.tryAdd(31, 100)).isFalse();
        assertThat(units.tryAdd(30, 100)).isTrue();
    }

    @Test
    void onlyAChangeIsUntold() {
        assertThat(units.isUntold()).isFalse();
        units.add(10);
        assertThat(units.isUntold()).isTrue();
        OwnUse use = units.own();
        units.add(1);
        units.told(use, 10, 0);
        assertThat(units.isUntold()).isTrue();
        units.told(units.own(), 11, 0);
        assertThat(units.isUntold()).isFalse();
    }

    @Test
    void aNewDayBeginsWithoutTheUseOfOthersAndIgnoresALateReport() {
        units.add(10);
        OwnUse yesterday = units.own();
        units.told(yesterday, 10, 60);
        wall.addAndGet(TimeUnit.DAYS.toMillis(1));
        units.told(yesterday, 10, 90);

        assertThat(units.used()).isZero();
        assertThat(units.isUntold()).isFalse();
        assertThat(units.tryAdd(100, 100)).isTrue();
    }

    @Test
    void whatAKilledProxyForgotIsKnownToOthers() {
        units.add(1);
        units.told(units.own(), 40, 60);

        assertThat(units.own().units()).isEqualTo(40);
        assertThat(units.used()).isEqualTo(100);
    }

    @Test
    void everythingIsToldAgainWhenOthersCanBeReachedAgain() {
        units.add(20);
        units.told(units.own(), 20, 30);
        units.leave();
        units.join();

        assertThat(units.isUntold()).isTrue();
        units.told(units.own(), 20, 0);
        assertThat(units.used()).as("also if the others forgot").isEqualTo(50);
        assertThat(units.isUntold()).isFalse();
    }
}
