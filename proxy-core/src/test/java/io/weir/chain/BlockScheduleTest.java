package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockScheduleTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long POLL_MIN = 100 * MILLI;
    private static final long EPOCH = 1_700_000_000L;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    /** Polls of a node by the schedule, until it has so many blocks. Confined to one thread. */
    private class Polled {

        private final List<Long> arrivals = new ArrayList<>();
        private final List<Long> delays = new ArrayList<>();
        private final BlockSchedule schedule;
        long now;
        int head;
        boolean paused;
        private int polls;

        /** Blocks arrive with a jitter after their slots, some of which have no block. */
        Polled(long blockNanos, long jitterNanos, double missing, int blocks) {
            long slot = 0;
            for (int i = 0; i <= blocks; i++) {
                slot += blockNanos;
                while (random.nextDouble() < missing) {
                    slot += blockNanos;
                }
                arrivals.add(slot + (long) (random.nextDouble() * jitterNanos));
            }
            now = arrivals.get(0) + (long) (random.nextDouble() * blockNanos);
            schedule = new BlockSchedule(POLL_MIN, 0, now);
            schedule.rose(0, now);
            schedule.timestamp(0, EPOCH + arrivals.get(0) / SECOND);
            // At the start the newest blocks are read.
            schedule.past(blockNanos);
        }

        /** Lets time pass without polls. */
        void pause() {}

        Polled run() {
            while (head < arrivals.size() - 1) {
                pause();
                now = Math.max(now, schedule.nextPollNanos());
                poll();
            }
            return this;
        }

        private void poll() {
            polls++;
            int newest = head;
            while (newest + 1 < arrivals.size() && arrivals.get(newest + 1) <= now) {
                newest++;
                if (!paused) {
                    delays.add(now - arrivals.get(newest));
                }
            }
            paused = false;
            if (newest == head) {
                schedule.unchanged(now);
            } else {
                head = newest;
                schedule.rose(head, now);
                schedule.timestamp(head, EPOCH + arrivals.get(head) / SECOND);
            }
        }

        double pollsPerBlock() {
            return (double) polls / head;
        }

        long delayMillis(int percent) {
            Collections.sort(delays);
            return delays.get(delays.size() * percent / 100) / MILLI;
        }
    }

    /** Of 25 blocks of 12 s, which are five minutes from a start on, and of more. */
    @ParameterizedTest
    @CsvSource({
        "12000,    0, 0,      25, 2.2, 500",
        "12000,    0, 0,     500, 1.9, 400",
        "12000,  300, 0,     500, 1.9, 400",
        "12000, 2000, 0,     500, 3.0, 1400",
        "12000, 1000, 0.01,  500, 2.8, 700",
        " 5000,  200, 0.02,  500, 2.3, 500",
        " 2000,    0, 0,     500, 2.0, 400",
        " 2000,  200, 0,     500, 2.0, 400",
        "  250,    0, 0,    1200, 1.1, 300",
        "  250,   50, 0,    1200, 1.2, 320"
    })
    void fewPollsFindBlocksSoon(
            long blockMillis, long jitterMillis, double missing, int blocks, double mostPolls, long mostMillis) {
        Polled polled = new Polled(blockMillis * MILLI, jitterMillis * MILLI, missing, blocks).run();
        assertThat(polled.pollsPerBlock()).as("seed %d", seed).isLessThan(mostPolls);
        assertThat(polled.delayMillis(95)).as("seed %d", seed).isLessThan(mostMillis);
        assertThat((double) polled.schedule.blockNanos())
                .as("seed %d", seed)
                .isBetween(0.9 * blockMillis * MILLI, 1.1 * blockMillis * MILLI);
    }

    @Test
    void thePaceOfEarlierBlocksCountsUntilTheChainShowsItsOwn() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        schedule.rose(100, 0);
        schedule.past(12 * SECOND);
        assertThat(schedule.blockNanos()).isEqualTo(12 * SECOND);
        schedule.unchanged(4 * SECOND);
        schedule.rose(101, 5 * SECOND);
        assertThat(schedule.nextPollNanos()).isBetween(16 * SECOND, 17 * SECOND);
        int[] seconds = {20, 21, 60, 61, 100};
        for (int i = 0; i < seconds.length; i++) {
            schedule.rose(102 + i, seconds[i] * SECOND);
        }
        assertThat(schedule.blockNanos()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"4, 12", "5, 0"})
    void thePaceOfEarlierBlocksIsForgottenOnceFarMoreBlocksCameThanItAllows(int blocks, long seconds) {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        schedule.rose(100, 0);
        schedule.past(12 * SECOND);
        schedule.rose(100 + blocks, 12 * SECOND);
        assertThat(schedule.blockNanos()).isEqualTo(seconds * SECOND);
    }

    /** A node may have made the times of its blocks up, and the next block would be looked for much later. */
    @Test
    void aPaceOfEarlierBlocksThatIsNoRhythmDelaysNoPoll() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        schedule.rose(100, 0);
        schedule.past(3_600 * SECOND);
        assertThat(schedule.blockNanos()).isZero();
        assertThat(schedule.nextPollNanos()).isLessThanOrEqualTo(SECOND);
    }

    @Test
    void aTimestampThatIsASecondOffDoesNotShiftTheDueTime() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        long[] seconds = {0, 13, 25, 37, 49, 61};
        for (int i = 0; i < seconds.length; i++) {
            schedule.rose(i, 12L * i * SECOND);
            schedule.timestamp(i, EPOCH + seconds[i]);
        }
        assertThat(schedule.blockNanos()).isEqualTo(12 * SECOND);
    }

    @Test
    void ofFewStepsThatDifferTheMeanCounts() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        long[] seconds = {0, 12, 25, 37, 50, 62};
        for (int i = 0; i < seconds.length; i++) {
            schedule.rose(i, seconds[i] * SECOND);
            schedule.timestamp(i, EPOCH + seconds[i]);
        }
        assertThat(schedule.blockNanos()).isEqualTo(12_400 * MILLI);
    }

    @Test
    void theBlockThatIsSeenAfterALongPauseArrivedAnyTimeBefore() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        for (int i = 0; i <= 5; i++) {
            schedule.rose(i, 2 * i * SECOND);
        }
        schedule.rose(205, 411 * SECOND);
        for (int i = 206; i <= 210; i++) {
            schedule.rose(i, 2 * i * SECOND);
        }
        assertThat(schedule.blockNanos()).isEqualTo(2 * SECOND);
    }

    @RepeatedTest(20)
    void afterAPauseTheArrivalsAreFoundAgain() {
        Polled polled = new Polled(12 * SECOND, 300 * MILLI, 0, 200) {
            @Override
            void pause() {
                if (head == 60 || head == 120) {
                    now += (long) ((2 + 18 * random.nextDouble()) * 12 * SECOND);
                    paused = true;
                }
            }
        };
        polled.run();
        assertThat(polled.pollsPerBlock()).as("seed %d", seed).isLessThan(2.5);
        assertThat(polled.delayMillis(95)).as("seed %d", seed).isLessThan(600);
    }

    @Test
    void aChainThatBecomesFasterIsFoundOutAtOnce() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        for (int i = 0; i < 32; i++) {
            schedule.rose(i, 30L * i * SECOND);
        }
        assertThat(schedule.blockNanos()).isEqualTo(30 * SECOND);
        schedule.rose(51, 960 * SECOND);
        assertThat(schedule.blockNanos()).isZero();
    }

    @Test
    void timestampsThatAreNoSecondsDoNotCount() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        for (int i = 0; i < 10; i++) {
            schedule.rose(i, 2L * i * SECOND);
            schedule.timestamp(i, 2_000L * i);
        }
        assertThat(schedule.blockNanos()).isEqualTo(2 * SECOND);
    }

    @Test
    void irregularBlocksHaveNoBlockTime() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        long now = 0;
        int[] seconds = {3, 40, 7, 90, 1, 25, 120, 2, 60, 11};
        for (int i = 0; i < seconds.length; i++) {
            now += seconds[i] * SECOND;
            schedule.rose(i, now);
            schedule.timestamp(i, EPOCH + now / SECOND);
        }
        assertThat(schedule.blockNanos()).isZero();
        assertThat(schedule.nextPollNanos() - now).isEqualTo(BlockSchedule.RETRY_NANOS);
    }

    @Test
    void withoutABlockTimeThePollsBecomeRarer() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        long now = 0;
        for (int i = 0; i < 20; i++) {
            now = schedule.nextPollNanos();
            schedule.unchanged(now);
        }
        assertThat(schedule.nextPollNanos() - now).isEqualTo(BlockSchedule.UNKNOWN_NANOS);
    }

    @Test
    void aHintCountsUntilTheChainShowsItsOwnPace() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 12 * SECOND, 0);
        schedule.rose(1, 0);
        assertThat(schedule.blockNanos()).isEqualTo(12 * SECOND);
        for (int i = 2; i < 6; i++) {
            schedule.rose(i, 2L * i * SECOND);
        }
        assertThat(schedule.blockNanos()).isEqualTo(2 * SECOND);
    }

    @Test
    void aChainThatStandsStillIsPolledAtMostTwelveTimesInABlockTime() {
        Polled polled = new Polled(12 * SECOND, 0, 0, 30).run();
        long begin = polled.now;
        int polls = 0;
        while (polled.now - begin < 10 * 60 * SECOND) {
            polled.now = Math.max(polled.now, polled.schedule.nextPollNanos());
            polled.schedule.unchanged(polled.now);
            polls++;
        }
        assertThat(polls).isLessThan(50 * 12);
    }

    @Test
    void aHeadThatGoesBackBeginsAnew() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        for (int i = 0; i < 5; i++) {
            schedule.rose(100 + i, 12L * i * SECOND);
        }
        assertThat(schedule.blockNanos()).isEqualTo(12 * SECOND);
        schedule.rose(50, 60 * SECOND);
        assertThat(schedule.blockNanos()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"250, 500", "2000, 500", "12000, 3000", "60000, 3000"})
    void aPollComesOnlyWhenAnAnnouncementIsLate(long blockMillis, long graceMillis) {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, blockMillis * MILLI, 0);
        schedule.announces(true);
        long now = 0;
        schedule.rose(1, now);
        for (int number = 2; number < 10; number++) {
            now += blockMillis * MILLI;
            schedule.announced(number, now);
            assertThat(schedule.nextPollNanos()).isEqualTo(now + (blockMillis + graceMillis) * MILLI);
        }
        now = schedule.nextPollNanos();
        schedule.unchanged(now);
        assertThat(schedule.nextPollNanos())
                .as("without a block")
                .isBetween(now + MILLI, now + (blockMillis + graceMillis) * MILLI);
        schedule.announces(false);
        assertThat(schedule.nextPollNanos()).as("without announcements").isLessThan(now + 301 * MILLI);
    }

    @Test
    void announcedBlocksWithoutARhythmArePolledEveryThreeSeconds() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 0, 0);
        schedule.announces(true);
        schedule.announced(1, SECOND);
        assertThat(schedule.nextPollNanos()).isEqualTo(4 * SECOND);
        schedule.unchanged(4 * SECOND);
        assertThat(schedule.nextPollNanos()).isEqualTo(7 * SECOND);
    }

    @Test
    void aFirstHeadThatIsKnownByItsNumberAloneLeavesTheBlockTimeToTheTimesOfTheNext() {
        BlockSchedule schedule = new BlockSchedule(POLL_MIN, 12 * SECOND, 0);
        schedule.rose(100, 0);
        // The first poll comes late, so the steps between the polls are too short.
        long[] seen = {9_000 * MILLI, 19_850 * MILLI, 31_300 * MILLI, 43_400 * MILLI};
        for (int i = 0; i < seen.length; i++) {
            schedule.rose(101 + i, seen[i]);
            schedule.timestamp(101 + i, EPOCH + 12L * i);
        }
        assertThat(schedule.blockNanos()).isEqualTo(12 * SECOND);
    }
}
