package io.weir.api.setting;

/** The size that {@code auto} stands for: a quarter of the heap, so that two such sizes leave half of a small heap to all else. */
public final class HeapShare {

    private static final long MAX = 256L << 20;
    private static final int PARTS = 4;

    private HeapShare() {}

    /** Returns the share of this process's heap. */
    public static long ofProcess() {
        return of(Runtime.getRuntime().maxMemory());
    }

    /** Returns the share of a heap that may grow to this number of bytes. */
    static long of(long heap) {
        return Math.min(MAX, heap / PARTS);
    }
}
