package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/** A result that is kept, and what it depends on. Thread-safe; only whether it is final ever changes, and only once. */
public final class CachedResult {

    /** That no stamp matters: the result names its block itself. */
    public static final long ANY_STAMP = -1;

    private final RawJson value;
    private final ResultKind kind;
    private final String proven;
    private final BlockRef block;
    private volatile boolean lasting;

    /**
     * A result with an array of its own.
     *
     * @param proven what was proven of it, as clients are told; empty where nothing was
     * @param lasting whether it cannot become wrong any more
     */
    public CachedResult(RawJson value, ResultKind kind, String proven, BlockRef block, boolean lasting) {
        this.value = value;
        this.kind = kind;
        this.proven = proven;
        this.block = block;
        this.lasting = lasting;
    }

    /**
     * The block that a result depends on.
     *
     * @param hash its hash; null where only its number is known, and it is final
     * @param stamp of its place in the chain view, where the result does not name the block; else {@link #ANY_STAMP}
     */
    public record BlockRef(long number, @Nullable String hash, long stamp) {}

    /** The result as it goes out. */
    public RawJson value() {
        return value;
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
        return block;
    }

    /** Whether it cannot become wrong any more. */
    public boolean lasting() {
        return lasting;
    }

    /** Notes that its block is canonical and final. */
    public void promote() {
        lasting = true;
    }
}
