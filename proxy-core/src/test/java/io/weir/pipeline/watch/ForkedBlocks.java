package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** Nodes' blocks of a chain of any length that forks once; hashes consist of the branch and the number. Confined to one thread. */
public final class ForkedBlocks implements BlockSource {

    /** Received requests. */
    final List<String> asked = new ArrayList<>();

    /** Heights at which no node answers. */
    LongPredicate silent = number -> false;

    private String branch = "b";
    private long forkedFrom = Long.MAX_VALUE;

    /** Replaces all blocks from a height on. */
    public void fork(String name, long from) {
        branch = name;
        forkedFrom = from;
    }

    /** Returns the hash of the block that nodes have at a height. */
    public String hash(long number) {
        return (number < forkedFrom ? "a" : branch) + number;
    }

    BlockLink block(long number) {
        return new BlockLink(number, hash(number), hash(number - 1));
    }

    @Override
    public void byNumber(EventLoop loop, long number, long deadlineNanos, Consumer<Named> sink) {
        asked.add("number " + number);
        sink.accept(silent.test(number) ? null : new Named(block(number), "node"));
    }

    @Override
    public void byHash(EventLoop loop, String hash, long deadlineNanos, Consumer<Named> sink) {
        asked.add("hash " + hash);
        BlockLink block = block(Long.parseLong(hash.substring(1)));
        sink.accept(block.hash().equals(hash) ? new Named(block, "node") : null);
    }
}
