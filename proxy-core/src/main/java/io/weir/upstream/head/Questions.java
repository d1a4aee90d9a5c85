package io.weir.upstream.head;

import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.upstream.head.Witness.BlockAnswer;
import io.weir.upstream.head.Witness.BlockAnswer.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Questions to nodes about their heads and blocks, but for those of probes. Confined to the monitor's event loop.
 *
 * <ul>
 *   <li>An equal question that has no answer yet is joined. The exception is that of a round for the number of the head: an event such
 *       as a write separates an old question from a new one.
 *   <li>Rounds ask only if {@link #mayAskHead}, so that a node owes them at most {@link #MAX_OPEN} answers. No other question takes these
 *       places.
 *   <li>Whoever asks decides which node, and how long to wait: mostly {@link #PATIENCE_MILLIS}. While no head is known, a node that shows no
 *       block within {@link #FIRST_NANOS} is silent.
 * </ul>
 */
final class Questions {

    /** Milliseconds for which calls wait for further nodes. Late answers still count. */
    static final long PATIENCE_MILLIS = 250;

    /** Answers about its head that a node may owe, so that questions do not accumulate at a node that hangs. */
    private static final int MAX_OPEN = 2;

    /** Time in which a node must show a block while no head is known. */
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    /** Steps between blocks that are compared, so that a network need not watch its chain before its block time is known. */
    private static final int STEPS = 3;

    /** Blocks that are closer together show their pace soon, and seconds tell it badly. */
    private static final long MIN_STEP_SECONDS = 4;

    /** Seconds by which clocks of nodes and of this machine may differ, and by which a block may be late. */
    private static final long CLOCK_SECONDS = 60;

    private static final BlockSelector LATEST = new BlockSelector.Tag(BlockTag.LATEST);
    private static final String NUMBER = "number";

    private final HeadTracker tracker;
    private final boolean byBlock;
    private final LongSupplier wallSeconds;
    private final Runnable answered;
    private boolean paceRead;

    /** @param answered runs after each answer to a round: its node may be asked again */
    Questions(HeadTracker tracker, boolean byBlock, LongSupplier wallSeconds, Runnable answered) {
        this.tracker = tracker;
        this.byBlock = byBlock;
        this.wallSeconds = wallSeconds;
        this.answered = answered;
    }

    /** Returns whether a round may ask a node for the number of its head. */
    boolean mayAskHead(Witness witness) {
        return witness.openHeads < MAX_OPEN;
    }

    /** Asks a node in a round for the number of its head; -1 if it names none. */
    void head(Witness witness, LongConsumer sink) {
        witness.openHeads++;
        witness.askHead(head -> {
            witness.openHeads--;
            sink.accept(head);
            answered.run();
        });
    }

    boolean showsBlocks() {
        return byBlock;
    }

    boolean owesNewest(Witness witness) {
        return witness.open.containsKey(byBlock ? LATEST : NUMBER);
    }

    /** Asks a node for its newest block, or for the number if nodes do not show blocks. */
    void newest(Witness witness, Consumer<BlockAnswer> sink) {
        if (byBlock) {
            block(witness, LATEST, sink);
        } else {
            number(witness, sink);
        }
    }

    /** Asks a node outside of rounds for the number of its head. */
    void number(Witness witness, Consumer<BlockAnswer> sink) {
        join(witness, NUMBER, sink, all -> witness.askHead(head -> all.accept(BlockAnswer.ofNumber(head))));
    }

    /** Asks a node for a block. The sink receives the answer once, perhaps before this method returns. */
    void block(Witness witness, BlockSelector block, Consumer<BlockAnswer> sink) {
        boolean first = tracker.known().top() < 0;
        join(
                witness,
                block,
                sink,
                all -> witness.askBlock(block, first ? FIRST_NANOS : Long.MAX_VALUE, answer -> {
                    if (first) {
                        witness.silent = answer.kind() == Kind.FAILED;
                    }
                    all.accept(answer);
                }));
    }

    /** Joins the equal question without an answer; if there is none, it is asked. */
    private static void join(
            Witness witness, Object question, Consumer<BlockAnswer> sink, Consumer<Consumer<BlockAnswer>> ask) {
        List<Consumer<BlockAnswer>> sinks = witness.open.get(question);
        if (sinks != null) {
            sinks.add(sink);
            return;
        }
        List<Consumer<BlockAnswer>> all = new ArrayList<>(List.of(sink));
        witness.open.put(question, all);
        ask.accept(answer -> {
            witness.open.remove(question);
            all.forEach(one -> one.accept(answer));
        });
    }

    /** Reads the block time off the newest blocks, once. Does nothing if the newest is old, or if the chain is young. */
    void readPace(Witness witness, BlockAnswer newest) {
        boolean isNew = Math.abs(wallSeconds.getAsLong() - newest.seconds()) <= CLOCK_SECONDS;
        if (!paceRead && tracker.blockNanos() == 0 && newest.number() >= STEPS && isNew) {
            readPace(witness, newest, new ArrayList<>(List.of(newest.seconds())));
        }
        paceRead = true;
    }

    /** @param seconds the times of the blocks read so far, the newest first */
    private void readPace(Witness witness, BlockAnswer newest, List<Long> seconds) {
        long number = newest.number() - seconds.size();
        block(witness, new BlockSelector.Height(number), block -> {
            if (!block.shows(number)) {
                return;
            }
            seconds.add(block.seconds());
            if (seconds.size() <= STEPS) {
                readPace(witness, newest, seconds);
                return;
            }
            LongSummaryStatistics steps = IntStream.range(0, STEPS)
                    .mapToLong(i -> seconds.get(i) - seconds.get(i + 1))
                    .summaryStatistics();
            if (steps.getMin() >= MIN_STEP_SECONDS && steps.getMax() <= steps.getMin() + 1) {
                tracker.past(TimeUnit.SECONDS.toNanos(steps.getSum()) / STEPS);
            }
        });
    }
}
