package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.method.params.BlockTag;
import io.weir.upstream.FakeHead;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Blocks that a test prepares, in a chain whose hashes consist of its name and their numbers. Confined to one thread. */
public final class HandBlocks implements BlockSource {

    /**
     * Answer to the request for the newest final block.
     *
     * @param untagged whether the node has no such block
     * @param number -1 if it named none
     */
    public record Finalized(
            boolean untagged, long number, @Nullable String hash) {}

    /** Answer to the request for the newest final block; null holds the answer back. */
    public Finalized finalized = new Finalized(true, -1, null);

    /** Name of the nodes' chain. */
    public String branch = "a";

    /** Whether the nodes have blocks at all. */
    public boolean known = true;

    /** Difference between the height of the nodes' answer and the requested height. */
    public long shift;

    /** Received requests. */
    public final List<String> asked = new ArrayList<>();

    private final List<Consumer<Finalized>> held = new ArrayList<>();

    /** Returns the hash of a block of a chain. */
    public static String hash(String branch, long number) {
        return "0x%032x%032x".formatted(branch.hashCode(), number);
    }

    /** Returns the hash of a block of the nodes' chain. */
    public String hash(long number) {
        return hash(branch, number);
    }

    /** Returns a block of the nodes' chain. */
    public BlockLink block(long number) {
        return new BlockLink(number, hash(number), hash(number - 1));
    }

    /** Answers the requests that were held back. */
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

    /** Has the nodes of a network with this head name their final block as the test says. */
    public FakeHead naming(FakeHead head) {
        head.finalBlocks = (loop, then) -> {
            asked.add("finalized");
            Consumer<Finalized> sink = answer -> {
                long number = head.tracker().number();
                if (answer.number() >= 0) {
                    String hash = answer.hash() == null ? "" : answer.hash();
                    head.finality().named(BlockTag.FINALIZED, "a", answer.number(), hash, number);
                } else if (answer.untagged()) {
                    head.finality().lacks(BlockTag.FINALIZED, "a");
                }
                head.finality().conclude(BlockTag.FINALIZED, number, true, true);
                then.run();
            };
            if (finalized == null) {
                held.add(sink);
            } else {
                sink.accept(finalized);
            }
        };
        return head;
    }
}
