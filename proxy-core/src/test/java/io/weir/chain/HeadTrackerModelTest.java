package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.HeadTracker.RoundResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;

/** Compares the tracker with the rules applied to the complete history, for random mixes of rounds, writes and answers. */
class HeadTrackerModelTest {

    private static final long MAX_AGE = 1_000;
    private static final int STEPS = 3_000;

    /** Round in the model: its beginning, and the heads that were named in it. */
    private static final class Asked {

        final HeadMoment round;
        final int beganAt;
        final long beganNanos;
        final List<Long> named = new ArrayList<>();

        Asked(HeadMoment round, int beganAt, long beganNanos) {
            this.round = round;
            this.beganAt = beganAt;
            this.beganNanos = beganNanos;
        }

        long highest() {
            return named.stream().mapToLong(head -> head).max().orElse(-1);
        }
    }

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private long now = random.nextLong();
    private final HeadTracker tracker = new HeadTracker(MAX_AGE, () -> now);

    private final List<Asked> open = new ArrayList<>();
    private int step;
    private long head = -1;
    private int outdatedAt = -1;
    private int raisedAt = -1;
    private int doubtedAt = -1;
    private long settledNanos = now;
    private Asked confirmedBy;
    /** Whether an answer has raised the head since it was confirmed. */
    private boolean aged;

    @RepeatedTest(20)
    void itFollowsTheRules() {
        for (step = 0; step < STEPS; step++) {
            switch (random.nextInt(9)) {
                case 0, 1 -> open.add(new Asked(tracker.now(), step, now));
                case 2, 3, 4 -> name();
                case 5 -> end();
                case 6 -> now += random.nextInt(3) > 0 ? random.nextInt((int) MAX_AGE) : HeadTracker.SETTLE_NANOS;
                case 7 -> answer();
                default -> write();
            }
            String where = "seed " + seed + ", step " + step;
            assertThat(tracker.number()).as(where).isEqualTo(head);
            assertThat(tracker.fresh()).as(where).isEqualTo(fresh());
        }
    }

    private boolean fresh() {
        return confirmedBy != null
                && confirmedBy.beganAt > outdatedAt
                && !aged
                && confirmedBy.beganNanos - settledNanos >= 0
                && now - confirmedBy.beganNanos < MAX_AGE;
    }

    private void name() {
        if (open.isEmpty()) {
            return;
        }
        Asked asked = open.get(random.nextInt(open.size()));
        long named = Math.max(0, head) + random.nextInt(8) - 6;
        if (named < 0) {
            return;
        }
        tracker.named(asked.round, named, true);
        asked.named.add(named);
        if (named > head) {
            head = named;
            raisedAt = step;
            doubtedAt = -1;
        }
        if (named == head) {
            confirm(asked);
            doubtedAt = -1;
        }
    }

    private void confirm(Asked asked) {
        if (confirmedBy == null || asked.beganAt > confirmedBy.beganAt) {
            confirmedBy = asked;
            aged = false;
        }
    }

    private void end() {
        if (open.isEmpty()) {
            return;
        }
        Asked asked = open.remove(random.nextInt(open.size()));
        boolean whole = random.nextInt(4) > 0;
        RoundResult result = tracker.end(asked.round, asked.highest(), whole);
        assertThat(result).as("seed " + seed + ", step " + step).isEqualTo(expected(asked, whole));
        if (result == RoundResult.WENT_BACK) {
            head = asked.highest();
            doubtedAt = -1;
            confirm(asked);
        } else if (result == RoundResult.DOUBTED) {
            doubtedAt = doubtedAt < 0 ? step : doubtedAt;
            if (!asked.round.urgent()) {
                confirm(asked);
            }
        }
    }

    private RoundResult expected(Asked asked, boolean whole) {
        if (asked.named.isEmpty()) {
            return RoundResult.UNKNOWN;
        }
        if (asked.highest() >= head) {
            return RoundResult.CONFIRMED;
        }
        if (!whole || asked.beganAt < raisedAt) {
            return RoundResult.UNKNOWN;
        }
        return doubtedAt >= 0 && asked.beganAt > doubtedAt ? RoundResult.WENT_BACK : RoundResult.DOUBTED;
    }

    private void answer() {
        long number = head + random.nextInt(12) - 10;
        tracker.raise(number);
        if (number > head) {
            head = number;
            raisedAt = step;
            aged = true;
            doubtedAt = -1;
        }
    }

    private void write() {
        if (random.nextBoolean()) {
            return;
        }
        if (random.nextBoolean()) {
            tracker.outdate();
        } else {
            tracker.written();
            settledNanos = now + HeadTracker.SETTLE_NANOS;
        }
        outdatedAt = step;
    }
}
