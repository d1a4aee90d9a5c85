package io.weir.upstream.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Chain whose blocks come at times that a seed has drawn: with jitter, missed slots, bursts, pauses, reorganisations and rollbacks. All
 * times are in milliseconds since the schedule began. Immutable once it is made.
 */
final class ScriptedChain {

    private static final int[] BLOCK_MILLIS = {250, 1_000, 2_000, 12_000};
    private static final int[] FIRST = {0, 7, 100, 10_000};

    /** Blocks below the first one that nodes have, counted in numbers above those of blocks that were made. */
    private static final long OLD = 1L << 40;

    /** Block with its ancestors. */
    record Block(long number, long id, Block parent, long seconds) {

        String hash() {
            return "0x%064x".formatted(id);
        }

        /** Returns its ancestor with a number, or the block itself; null if the number is higher. */
        Block at(long height) {
            Block block = this;
            while (block != null && block.number > height) {
                block = block.parent;
            }
            return block;
        }

        boolean isOf(Block tip) {
            return equals(tip.at(number));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Block block && block.id == id;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(id);
        }
    }

    /** From a time on, this block is the newest one. */
    record Tip(long millis, Block block) {}

    final int blockMillis;
    final long endMillis;
    final List<Tip> tips = new ArrayList<>();
    /** When the chain goes on undisturbed until the end. */
    final long calmMillis;

    private final long baseSeconds;
    private final Random random;
    private long ids;

    ScriptedChain(Random random, long nowSeconds) {
        this.random = random;
        blockMillis = BLOCK_MILLIS[random.nextInt(BLOCK_MILLIS.length)];
        long blocks = 30 + random.nextInt(30);
        calmMillis = Math.max(20_000, blocks * blockMillis);
        endMillis = calmMillis + Math.max(15_000, 6L * blockMillis);
        baseSeconds = nowSeconds - (random.nextBoolean() ? 30 : 100_000);
        long first = FIRST[random.nextInt(FIRST.length)];
        boolean irregular = random.nextInt(6) == 0;
        Block tip = old(first);
        tips.add(new Tip(-1, tip));
        long millis = random.nextInt(blockMillis);
        while (millis < endMillis) {
            tip = next(tip, millis);
            tips.add(new Tip(millis, tip));
            double step = irregular ? -Math.log(1 - random.nextDouble()) : 0.95 + random.nextDouble() / 10;
            int slots = millis < calmMillis && random.nextInt(30) == 0 ? 1 + random.nextInt(6) : 1;
            millis += Math.max(1, (long) (blockMillis * step * slots));
        }
    }

    private Block old(long first) {
        Block block = null;
        for (long number = Math.max(0, first - 200); number <= first; number++) {
            block = new Block(number, OLD + number, block, seconds((number - first) * blockMillis));
        }
        return block;
    }

    private long seconds(long millis) {
        return Math.floorDiv(millis, 1_000) + baseSeconds;
    }

    private Block next(Block tip, long millis) {
        if (millis >= calmMillis) {
            return child(tip, millis);
        }
        int drawn = random.nextInt(100);
        if (drawn < 4) {
            int depth = 1 + random.nextInt(3);
            Block from = tip.at(Math.max(0, tip.number() - depth));
            return grow(from == null ? tip : from, depth + random.nextInt(2), millis);
        }
        if (drawn == 4) {
            Block from = tip.at(Math.max(0, tip.number() - 1 - random.nextInt(20)));
            return from == null ? tip : from;
        }
        return drawn < 7 ? grow(tip, 2 + random.nextInt(3), millis) : child(tip, millis);
    }

    private Block grow(Block from, int blocks, long millis) {
        Block tip = from;
        for (int i = 0; i < blocks; i++) {
            tip = child(tip, millis);
        }
        return tip;
    }

    /** Returns a new block after another one, whether of the chain or made up. */
    Block child(Block parent, long millis) {
        return new Block(parent.number() + 1, ++ids, parent, seconds(millis));
    }

    /** Returns the newest block at a time. */
    Block at(long millis) {
        Block block = tips.get(0).block();
        for (Tip tip : tips) {
            if (tip.millis() > millis) {
                return block;
            }
            block = tip.block();
        }
        return block;
    }
}
