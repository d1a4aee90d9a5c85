package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Blocks that a test lays down, in a chain whose hashes are made of its name and their numbers. Confined to one thread. */
public final class HandBlocks implements BlockSource {

    /** What is answered to the question for the newest final block; null holds the answer back. */
    public Finalized finalized = new Finalized(true, -1, null);

    /** The chain that the nodes are on. */
    public String branch = "a";

    /** Whether the nodes have blocks at all. */
    public boolean known = true;

    /** By how much the height of what the nodes answer differs from what was asked for. */
    public long shift;

    /** The questions that came. */
    public final List<String> asked = new ArrayList<>();

    private final List<Consumer<Finalized>> held = new ArrayList<>();

    /** The hash of a block of a chain. */
    public static String hash(String branch, long number) {
        return "0x%032x%032x".formatted(branch.hashCode(), number);
    }

    /** The hash of a block of the chain that the nodes are on. */
    public String hash(long number) {
        return hash(branch, number);
    }

    /** A block of the chain that the nodes are on. */
    public BlockLink block(long number) {
        return new BlockLink(number, hash(number), hash(number - 1));
    }

    /** Answers the questions that were held back. */
    public void release(Finalized answer) {
        List<Consumer<Finalized>> sinks = List.copyOf(held);
        held.clear();
        sinks.forEach(sink -> sink.accept(answer));
    }

    @Override
    public void byNumber(EventLoop loop, long number, long deadlineNanos, Consumer<Named> sink) {
        asked.add("number " + number);
        sink.accept(known ? new Named(block(number + shift), "a") : null);
    }

    @Override
    public void byHash(EventLoop loop, String hash, long deadlineNanos, Consumer<Named> sink) {
        asked.add("hash " + hash);
        sink.accept(null);
    }

    @Override
    public void finalized(EventLoop loop, long deadlineNanos, Consumer<Finalized> sink) {
        asked.add("finalized");
        if (finalized == null) {
            held.add(sink);
        } else {
            sink.accept(finalized);
        }
    }
}
