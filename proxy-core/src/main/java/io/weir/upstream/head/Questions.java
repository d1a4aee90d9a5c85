package io.weir.upstream.head;

import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

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

    private static final BlockSelector LATEST = new BlockSelector.Tag(BlockTag.LATEST);

    private final HeadTracker tracker;
    private final boolean byBlock;
    private Runnable answered = () -> {};

    /** @param byBlock whether nodes show their newest block; else they only name its number */
    Questions(HeadTracker tracker, boolean byBlock) {
        this.tracker = tracker;
        this.byBlock = byBlock;
    }

    /** Sets an action that runs after each answer to a round: its node may be asked again. */
    void whenHeadAnswered(Runnable action) {
        answered = action;
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

    /** Returns whether nodes show their newest block. */
    boolean showsBlocks() {
        return byBlock;
    }

    /** Returns whether a node owes the answer about its newest block. */
    boolean owesNewest(Witness witness) {
        return byBlock ? witness.open.containsKey(LATEST) : !witness.numberSinks.isEmpty();
    }

    /** Asks a node for its newest block, or for the number if nodes do not show blocks. */
    void newest(Witness witness, Consumer<BlockAnswer> sink) {
        if (byBlock) {
            block(witness, LATEST, sink);
        } else {
            number(
                    witness,
                    head -> sink.accept(head < 0 ? BlockAnswer.without(Kind.FAILED) : BlockAnswer.ofNumber(head)));
        }
    }

    /** Asks a node outside of rounds for the number of its head; -1 if it names none. */
    void number(Witness witness, LongConsumer sink) {
        witness.numberSinks.add(sink);
        if (witness.numberSinks.size() == 1) {
            witness.askHead(head -> {
                List<LongConsumer> sinks = List.copyOf(witness.numberSinks);
                witness.numberSinks.clear();
                sinks.forEach(one -> one.accept(head));
            });
        }
    }

    /** Asks a node for a block. The sink receives the answer once, perhaps before this method returns. */
    void block(Witness witness, BlockSelector block, Consumer<BlockAnswer> sink) {
        List<Consumer<BlockAnswer>> waiting = witness.open.get(block);
        if (waiting != null) {
            waiting.add(sink);
            return;
        }
        boolean first = tracker.known().top() < 0;
        List<Consumer<BlockAnswer>> sinks = new ArrayList<>(List.of(sink));
        witness.open.put(block, sinks);
        witness.askBlock(block, first ? FIRST_NANOS : Long.MAX_VALUE, answer -> {
            witness.open.remove(block);
            if (first) {
                witness.silent = answer.kind() == Kind.FAILED;
            }
            sinks.forEach(one -> one.accept(answer));
        });
    }
}
