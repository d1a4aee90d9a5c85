package io.weir.upstream;

/** What a probe found. Immutable. */
sealed interface ProbeResult {

    /** The node serves the right chain, as far as that was asked, and named its head. */
    record Good(long head, boolean syncing) implements ProbeResult {}

    /** The node serves another chain. */
    record WrongChain(String detail) implements ProbeResult {}

    /** The node is rate limited, so that nothing was found out. */
    record Throttled(int seconds) implements ProbeResult {}

    /** The node could not be asked, or gave no usable answer. */
    record Bad(String detail) implements ProbeResult {}
}
