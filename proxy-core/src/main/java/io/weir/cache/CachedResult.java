package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ResultKind;
import org.jspecify.annotations.Nullable;

/** A result that is kept, and what it depends on. Thread-safe; only whether it is final ever changes, and only once. */
public final class CachedResult {

    /** That no stamp matters: the result names its block itself. */
    public static final long ANY_STAMP = -1;

    private final RpcReply.Result reply;
    private final ResultKind kind;
    private final String proven;
    // The parts of a BlockRef: of a full memory's objects the collector follows each one.
    private final long blockNumber;
    private final @Nullable String blockHash;
    private final long blockStamp;
    private final boolean placed;
    private final @Nullable ResultLayout layout;
    private volatile boolean lasting;

    /**
     * A result with an array of its own, of which no more is known.
     *
     * @param proven what was proven of it, as clients are told; empty where nothing was
     * @param lasting whether it cannot become wrong any more
     */
    public CachedResult(RawJson value, ResultKind kind, String proven, BlockRef block, boolean lasting) {
        this(new RpcReply.Result(value), kind, proven, block, lasting, !lasting, null);
    }

    private CachedResult(
            RpcReply.Result reply,
            ResultKind kind,
            String proven,
            BlockRef block,
            boolean lasting,
            boolean placed,
            @Nullable ResultLayout layout) {
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
     * The block that a result depends on.
     *
     * @param hash its hash; null where only its number is known, and it is final
     * @param stamp of its place in the chain view, where the result does not name the block; else {@link #ANY_STAMP}
     */
    public record BlockRef(long number, @Nullable String hash, long stamp) {}

    /**
     * The same, of which more is known.
     *
     * @param canonical whether its block is known to be the canonical one at its height
     * @param parts where its parts stand; null where nothing is cut out of it
     */
    public CachedResult with(boolean canonical, @Nullable ResultLayout parts) {
        return new CachedResult(reply, kind, proven, block(), lasting, canonical, parts);
    }

    /** The result as it goes out. */
    public RawJson value() {
        return reply.value();
    }

    /** The reply that gives it out. */
    public RpcReply reply() {
        return reply;
    }

    /** What it is about. */
    public ResultKind kind() {
        return kind;
    }

    /** What was proven of it; empty where nothing was. */
    public String proven() {
        return proven;
    }

    /** The block that it depends on. */
    public BlockRef block() {
        return new BlockRef(blockNumber, blockHash, blockStamp);
    }

    /** Whether it cannot become wrong any more. */
    public boolean lasting() {
        return lasting;
    }

    /** Whether its block is the canonical one at its height, as long as it holds; else only what is in the block is known. */
    public boolean placed() {
        return placed;
    }

    /** Where its parts stand; null where nobody has looked. */
    public @Nullable ResultLayout layout() {
        return layout;
    }

    /** Notes that its block is canonical and final. */
    public void promote() {
        lasting = true;
    }
}
