package io.weir.app;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A walk over blocks that has the proxy prove their logs, one small piece after the other. The pieces are the runs of 64 blocks that begin
 * at a multiple of 64, so that each walk asks for the same ones. A piece that is too large is halved. After a piece the walk pauses until
 * its calls to nodes fit the rate, and not at all if it took none. Confined to one thread.
 */
final class LogFill {

    private static final int RUN = 64;
    private static final int MAX_REPEATS = 3;
    private static final int MAX_FAILURES = 20;
    private static final int MAX_RANGES = 20;
    private static final long MAX_WAIT_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Function<Range, Answer> proxy;
    private final int rate;
    private final LongSupplier clock;
    private final LongConsumer pause;
    private final PrintWriter out;
    private final List<Range> ranges = new ArrayList<>();
    /** The last block of the pieces so far. */
    private long asked;

    private int failures;
    private long incomplete;
    private long unlisted;
    private long dueNanos;

    /**
     * @param proxy asks the proxy for all logs of some blocks
     * @param rate the calls to nodes a second, on average
     * @param pause waits for some nanoseconds, or less
     */
    LogFill(Function<Range, Answer> proxy, int rate, LongSupplier clock, LongConsumer pause, PrintWriter out) {
        this.proxy = proxy;
        this.rate = rate;
        this.clock = clock;
        this.pause = pause;
        this.out = out;
    }

    /** Meaning of an answer: the logs are complete, or whether fewer blocks, a repetition, other blocks or nothing may help. */
    enum Outcome {
        COMPLETE,
        TOO_LARGE,
        LATER,
        FAILED,
        REFUSED
    }

    /**
     * Answer of the proxy. Immutable.
     *
     * @param words why the logs are not complete; empty if they are
     * @param calls the calls to nodes that it took, as estimated
     * @param waitNanos the time that the proxy asks to wait; 0 if it names none
     */
    record Answer(Outcome outcome, String words, long calls, long waitNanos) {}

    /**
     * Blocks from a first to a last one. Immutable.
     *
     * @param words why their logs are not complete; empty if they are, or if that is not known
     */
    record Range(long from, long to, String words) {

        static Range of(long from, long to) {
            return new Range(from, to, "");
        }

        long length() {
            return to - from + 1;
        }

        @Override
        public String toString() {
            return text(from == to ? "%,d" : "%,d to %,d", from, to);
        }
    }

    /**
     * Walks over blocks. Returns whether the logs of all are complete.
     *
     * @param calls the calls to nodes for a block, at most
     * @param units their costs by the catalogue
     */
    boolean run(Range all, int calls, int units) {
        long most = all.length() * calls;
        String time = time(most / (double) rate);
        say("blocks %s: %,d", all, all.length());
        String cost = "at most %,d calls to nodes, %,d units; about %s at %,d calls a second";
        say(cost, most, all.length() * units, time, rate);
        dueNanos = clock.getAsLong();
        long shownNanos = dueNanos;
        long shown = all.from() - 1;
        asked = shown;
        while (asked < all.to() && failures < MAX_FAILURES) {
            ask(Range.of(asked + 1, Math.min(all.to(), (asked + 1) | (RUN - 1))));
            long now = clock.getAsLong();
            if (now - shownNanos >= PROGRESS_NANOS && asked < all.to()) {
                Range done = Range.of(all.from(), asked);
                String state = incomplete == 0 ? "complete" : text("asked, %,d not complete", incomplete);
                // The blocks since the last line tell the pace: stored ones before them took less time.
                double left = (double) (now - shownNanos) / (asked - shown) * (all.to() - asked) / SECOND;
                long percent = 100 * done.length() / all.length();
                say("blocks %s %s, %d %%, about %s left", done, state, percent, time(left));
                shownNanos = now;
                shown = asked;
            }
        }
        ranges.forEach(
                range -> say(range.words().isEmpty() ? "complete: %s" : "not complete: %s: %s", range, range.words()));
        if (unlisted > 0) {
            say("further ones: %,d blocks; of all blocks, %,d are not complete", unlisted, incomplete);
        }
        if (asked < all.to()) {
            say("not asked: %s", Range.of(asked + 1, all.to()));
        }
        return incomplete == 0;
    }

    /** Asks for a piece, or for its halves if it is too large. */
    private void ask(Range piece) {
        if (failures >= MAX_FAILURES) {
            return;
        }
        Answer answer = answer(piece);
        if (answer.outcome() == Outcome.TOO_LARGE && piece.length() > 1) {
            long middle = piece.from() + piece.length() / 2;
            ask(Range.of(piece.from(), middle - 1));
            ask(Range.of(middle, piece.to()));
            return;
        }
        asked = piece.to();
        failures = switch (answer.outcome()) {
            case COMPLETE -> 0;
            case REFUSED -> MAX_FAILURES;
            default -> failures + 1;
        };
        note(new Range(piece.from(), piece.to(), answer.words()));
    }

    /** Asks for a piece when the rate allows, and again if that may help. */
    private Answer answer(Range piece) {
        long wait = TimeUnit.SECONDS.toNanos(2);
        for (int repeats = 0; ; repeats++) {
            pauseUntil(dueNanos);
            long begun = clock.getAsLong();
            Answer answer = proxy.apply(piece);
            dueNanos = begun + (long) (answer.calls() * SECOND / rate);
            if (answer.outcome() != Outcome.LATER || repeats == MAX_REPEATS || answer.waitNanos() > MAX_WAIT_NANOS) {
                return answer;
            }
            pauseUntil(clock.getAsLong() + Math.max(wait, answer.waitNanos()));
            wait *= 4;
        }
    }

    private void pauseUntil(long nanos) {
        for (long left = nanos - clock.getAsLong(); left > 0; left = nanos - clock.getAsLong()) {
            pause.accept(left);
        }
    }

    /** Notes the outcome of a piece, together with that of the pieces before it if it is the same. */
    private void note(Range piece) {
        incomplete += piece.words().isEmpty() ? 0 : piece.length();
        int last = ranges.size() - 1;
        Range before = last < 0 ? null : ranges.get(last);
        if (before != null && before.to() + 1 == piece.from() && before.words().equals(piece.words())) {
            ranges.set(last, new Range(before.from(), piece.to(), piece.words()));
        } else if (last + 1 < MAX_RANGES) {
            ranges.add(piece);
        } else {
            unlisted += piece.length();
        }
    }

    private void say(String format, Object... values) {
        out.println(text(format, values));
        out.flush();
    }

    // The annotation that the check wants is in no library of the proxy.
    @SuppressWarnings("AnnotateFormatMethod")
    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String time(double seconds) {
        return seconds < 90
                ? text("%.0f s", seconds)
                : seconds < 7200 ? text("%.0f min", seconds / 60) : text("%.1f h", seconds / 3600);
    }
}
