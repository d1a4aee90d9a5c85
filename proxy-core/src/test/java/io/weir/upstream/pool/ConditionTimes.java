package io.weir.upstream.pool;

import io.weir.upstream.pool.SimulatedNode.Condition;
import io.weir.upstream.pool.SimulatedNode.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Times in which a pool leaves nodes that turn bad, and takes them back. Confined to one thread. */
final class ConditionTimes {

    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<Condition, Times> times = new EnumMap<>(Condition.class);

    /** Times of one condition, in nanoseconds. */
    private static final class Times {
        private int phases;
        /** From the beginning of the condition until the pool takes the node out, or holds calls back. */
        private final List<Long> left = new ArrayList<>();
        /** From the beginning of the condition until the last call that the node got in it. */
        private final List<Long> lastCall = new ArrayList<>();
        /** From the end of the condition until the node gets calls again, if it was left. */
        private final List<Long> back = new ArrayList<>();

        private int notBack;
    }

    /** One node, as its pool sees it. Confined to the thread of the times. */
    final class Watch {

        private final SimulatedNode node;
        private @Nullable Phase phase;
        private @Nullable Phase left;
        private boolean ready;
        private boolean readyBefore;
        private long leftNanos = -1;
        private long lastCallNanos = -1;

        Watch(SimulatedNode node) {
            this.node = node;
        }

        /** Notes whether the pool gives calls to the node without restriction. */
        void note(boolean nowReady, long now) {
            Phase current = node.phase(now);
            if (current != phase) {
                change(current);
            }
            if (phase != null && leftNanos < 0 && readyBefore && !nowReady) {
                leftNanos = now - phase.fromNanos();
            }
            if (phase != null
                    && node.lastCallNanos() >= phase.fromNanos()
                    && node.lastCallNanos() < phase.untilNanos()) {
                lastCallNanos = node.lastCallNanos() - phase.fromNanos();
            }
            if (phase == null && left != null && nowReady) {
                of(left).back.add(now - left.untilNanos());
                left = null;
            }
            ready = nowReady;
        }

        /** Ends the watch. */
        void end() {
            change(null);
            if (left != null) {
                of(left).notBack++;
            }
        }

        private void change(@Nullable Phase next) {
            if (phase != null && readyBefore) {
                Times of = of(phase);
                of.phases++;
                if (leftNanos >= 0) {
                    of.left.add(leftNanos);
                    left = phase;
                }
                if (lastCallNanos >= 0) {
                    of.lastCall.add(lastCallNanos);
                }
            }
            if (next != null && left != null) {
                of(left).notBack++;
                left = null;
            }
            phase = next;
            readyBefore = ready;
            leftNanos = -1;
            lastCallNanos = -1;
        }
    }

    private Times of(Phase phase) {
        return times.computeIfAbsent(phase.condition(), condition -> new Times());
    }

    /** Adds the times of another simulation. */
    void add(ConditionTimes other) {
        other.times.forEach((condition, more) -> {
            Times mine = times.computeIfAbsent(condition, any -> new Times());
            mine.phases += more.phases;
            mine.left.addAll(more.left);
            mine.lastCall.addAll(more.lastCall);
            mine.back.addAll(more.back);
            mine.notBack += more.notBack;
        });
    }

    /** Returns a table in Markdown: a row for each condition. */
    String table() {
        StringBuilder text = new StringBuilder("""
                | condition | times | left | until left, ms | until the last call, ms | back | until back, ms |
                |---|---|---|---|---|---|---|
                """);
        times.forEach((condition, of) -> text.append("| %s | %d | %d | %s | %s | %d of %d | %s |%n"
                .formatted(
                        condition.words,
                        of.phases,
                        of.left.size(),
                        spread(of.left),
                        spread(of.lastCall),
                        of.back.size(),
                        of.back.size() + of.notBack,
                        spread(of.back))));
        return text.toString();
    }

    /** Returns median, 95th percentile and maximum. */
    private static String spread(List<Long> nanos) {
        if (nanos.isEmpty()) {
            return "–";
        }
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return "%.0f / %.0f / %.0f"
                .formatted(
                        sorted[sorted.length / 2] / NANOS_PER_MILLI,
                        sorted[sorted.length * 95 / 100] / NANOS_PER_MILLI,
                        sorted[sorted.length - 1] / NANOS_PER_MILLI);
    }
}
