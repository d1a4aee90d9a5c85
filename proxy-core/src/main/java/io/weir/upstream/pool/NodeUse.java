package io.weir.upstream.pool;

import java.util.concurrent.atomic.AtomicBoolean;

/** Use of a node by calls, by which rounds of probes ask it or leave it out. Thread-safe. */
final class NodeUse {

    private final AtomicBoolean unused = new AtomicBoolean();
    private volatile boolean called;

    /** Notes that the node gets a call. Returns whether the node was unused until now. */
    boolean call() {
        if (!called) {
            called = true;
        }
        return unused.get() && unused.compareAndSet(true, false);
    }

    /** Returns whether the node got a call since {@link #takeCalled}. */
    boolean isCalled() {
        return called;
    }

    /** Returns whether the node got a call since this was last asked. */
    boolean takeCalled() {
        boolean before = called;
        called = false;
        return before;
    }

    /** Notes whether calls use the node's tier; if not, the next call to the node ends that. */
    void tierInUse(boolean inUse) {
        unused.set(!inUse);
    }

    /** Returns whether calls use the node. */
    boolean isInUse() {
        return !unused.get();
    }
}
