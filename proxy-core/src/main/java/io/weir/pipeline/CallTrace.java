package io.weir.pipeline;

import org.jspecify.annotations.Nullable;

/** What became of a call, for response headers and meters. Confined to the call's event loop. */
public final class CallTrace {

    private @Nullable String upstreamId;
    private long upstreamNanos;
    private boolean degraded;
    private boolean forwarded;
    private boolean lackedData;

    /** Notes the upstream whose answer it was, and how long that attempt took. */
    public void answeredBy(String id, long nanos) {
        upstreamId = id;
        upstreamNanos = nanos;
    }

    /** The upstream that answered, or null where none was asked. */
    public @Nullable String upstreamId() {
        return upstreamId;
    }

    /** How long the answering attempt took. */
    public long upstreamNanos() {
        return upstreamNanos;
    }

    /** Notes that an upstream was asked. */
    public void markForwarded() {
        forwarded = true;
    }

    /** Whether an upstream was asked. */
    public boolean forwarded() {
        return forwarded;
    }

    /** Notes whether the node that answered last said that it lacks the block, or what belongs to it. */
    public void lackedData(boolean lacked) {
        lackedData = lacked;
    }

    /** Whether the node that answered last said that it lacks the block, or what belongs to it. */
    public boolean lackedData() {
        return lackedData;
    }

    /** Notes that no healthy upstream was left. */
    public void markDegraded() {
        degraded = true;
    }

    /** Whether no healthy upstream was left and the least bad one was asked. */
    public boolean degraded() {
        return degraded;
    }
}
