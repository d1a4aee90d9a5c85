package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ResultKind;
import org.jspecify.annotations.Nullable;

/** Cached result with the block on which it depends. Thread-safe; only its finality changes, and only once. */
public final class CachedResult {

    /** Value without a stamp: the result names its block itself. */
    public static final long ANY_STAMP = -1;

    private final RpcReply.Result reply;
    private final ResultKind kind;
    private final String proven;
    // The fields of a BlockRef: in a full memory the garbage collector follows every object.
    private final long blockNumber;
    private final @Nullable String blockHash;
    private final long blockStamp;
    private final int source;
    private final boolean placed;
    private final @Nullable ResultLayout layout;
    private volatile boolean lasting;

    /**
     * Creates a result without further properties.
     *
     * @param proven the proven parts, as clients see them; empty if there are none
     * @param lasting whether it can no longer become wrong
     */
    public CachedResult(RawJson value, ResultKind kind, String proven, BlockRef block, boolean lasting) {
        this(value, kind, proven, block, lasting, SourceMarks.NONE);
    }

    /**
     * Creates a result without further properties.
     *
     * @param proven the proven parts, as clients see them; empty if there are none
     * @param lasting whether it can no longer become wrong
     * @param source the mark of the node that gave it; {@link SourceMarks#NONE} if it is proven
     */
    public CachedResult(RawJson value, ResultKind kind, String proven, BlockRef block, boolean lasting, int source) {
        this(value, kind, proven, block, lasting, source, !lasting);
    }

    /**
     * Creates a result without a layout.
     *
     * @param placed whether its block is known to be the canonical one at its height
     */
    public CachedResult(
            RawJson value,
            ResultKind kind,
            String proven,
            BlockRef block,
            boolean lasting,
            int source,
            boolean placed) {
        this(new RpcReply.Result(value), kind, proven, block, lasting, source, placed, null);
    }

    private CachedResult(
            RpcReply.Result reply,
            ResultKind kind,
            String proven,
            BlockRef block,
            boolean lasting,
            int source,
            boolean placed,
            @Nullable ResultLayout layout) {
        this.source = source;
        this.placed = placed;
        this.layout = layout;
        this.reply = reply;
        this.kind = kind;
        this.proven = proven;
        this.blockNumber = block.number();
        this.blockHash = block.hash();
        this.blockStamp = block.stamp();
        this.lasting = lasting;
    }

    /**
     * Block on which a result depends. Immutable.
     *
     * @param hash its hash; null if only its number is known, and it is final
     * @param stamp of its slot in the chain view if the result does not name the block; otherwise {@link #ANY_STAMP}
     */
    public record BlockRef(long number, @Nullable String hash, long stamp) {}

    /**
     * Returns the same result with more properties; itself if it has them.
     *
     * @param canonical whether its block is known to be the canonical one at its height
     * @param parts the layout of its parts; null if no slices are taken from it
     */
    @SuppressWarnings("ReferenceEquality") // The same object needs no copy.
    public CachedResult with(boolean canonical, @Nullable ResultLayout parts) {
        return canonical == placed && parts == layout
                ? this
                : new CachedResult(reply, kind, proven, block(), lasting, source, canonical, parts);
    }

    /** Returns an equal result that retains no larger array. */
    public CachedResult compact() {
        RawJson own = value().compact();
        return own.isSame(value())
                ? this
                : new CachedResult(new RpcReply.Result(own), kind, proven, block(), lasting, source, placed, layout);
    }

    /** Returns the result in the form sent to clients. */
    public RawJson value() {
        return reply.value();
    }

    public RpcReply reply() {
        return reply;
    }

    /** Returns the kind of the result. */
    public ResultKind kind() {
        return kind;
    }

    /** Returns its proven parts; empty if there are none. */
    public String proven() {
        return proven;
    }

    /** Returns the number of the block on which it depends. */
    public long blockNumber() {
        return blockNumber;
    }

    /** Returns the hash of that block; null if only its number is known. */
    public @Nullable String blockHash() {
        return blockHash;
    }

    /** Returns the stamp of that block's slot; {@link #ANY_STAMP} if it has none. */
    public long blockStamp() {
        return blockStamp;
    }

    /** Returns the block on which it depends. */
    public BlockRef block() {
        return new BlockRef(blockNumber, blockHash, blockStamp);
    }

    /** Returns the mark of the node that gave it; {@link SourceMarks#NONE} if it is proven, or if the node is not known. */
    public int source() {
        return source;
    }

    /** Returns whether it can no longer become wrong. */
    public boolean lasting() {
        return lasting;
    }

    /**
     * Returns whether its block is the canonical one at its height, as long as the result holds. If not, only the block's
     * content is known.
     */
    public boolean placed() {
        return placed;
    }

    /** Returns the layout of its parts; null if it was not computed. */
    public @Nullable ResultLayout layout() {
        return layout;
    }

    /** Notes that its block is canonical and final. */
    public void promote() {
        lasting = true;
    }
}
