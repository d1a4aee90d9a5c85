package io.weir.chain;

import io.weir.method.params.BlockTag;

/** What is final, as a test says. */
public final class Finalities {

    private Finalities() {}

    /** Returns an object of a network of one node that knows nothing. */
    public static Finality alone() {
        return alone(new HeadTracker(0, () -> 0));
    }

    /** Returns an object of a network of one node with this head that knows nothing. */
    public static Finality alone(HeadTracker tracker) {
        return new Finality(tracker, 1, 64, true, System::nanoTime);
    }

    /** Has enough nodes call a block final. */
    public static void raise(Finality finality, long number) {
        finality.namedByStatus("one", number);
        finality.namedByStatus("other", number);
    }

    /** Has two nodes name a block with a tag. */
    public static void agree(Finality finality, BlockTag tag, long number, String hash) {
        finality.named(tag, "one", number, hash, -1);
        finality.named(tag, "other", number, hash, -1);
        finality.conclude(tag, -1, false, true);
    }

    /** Has two nodes lack a tag. */
    public static void lack(Finality finality, BlockTag tag) {
        finality.lacks(tag, "one");
        finality.lacks(tag, "other");
    }
}
