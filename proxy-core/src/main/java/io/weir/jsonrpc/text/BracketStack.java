package io.weir.jsonrpc.text;

import org.jspecify.annotations.Nullable;

/**
 * The open brackets around the position of a scanner, one bit for each level. A scanner extends it, so that it is one object. Confined
 * to one thread.
 */
abstract class BracketStack {

    /** Most levels in nodes' answers. */
    static final int ANSWER_DEPTH = 1024;

    private final int maxDepth;
    /** The kinds of the outermost containers, one bit each: set for an object. */
    private long objects;

    /** The same bits for the deeper levels, which only nodes' answers have. */
    private long @Nullable [] innerObjects;

    private int depth;

    BracketStack(int maxDepth) {
        this.maxDepth = maxDepth;
    }

    /** Enters a container; returns false if that is too deep. */
    final boolean push(boolean object) {
        if (depth == maxDepth) {
            return false;
        }
        if (depth < Long.SIZE) {
            objects = with(objects, depth, object);
        } else {
            if (innerObjects == null) {
                innerObjects = new long[maxDepth / Long.SIZE];
            }
            innerObjects[depth / Long.SIZE] = with(innerObjects[depth / Long.SIZE], depth, object);
        }
        depth++;
        return true;
    }

    private static long with(long bits, int index, boolean set) {
        return set ? bits | 1L << index : bits & ~(1L << index);
    }

    /** Leaves the innermost container. */
    final void pop() {
        depth--;
    }

    /** Leaves all containers. */
    final void clear() {
        depth = 0;
    }

    final int depth() {
        return depth;
    }

    final int maxDepth() {
        return maxDepth;
    }

    /** Returns whether the innermost container is an object. There must be one. */
    final boolean inObject() {
        int level = depth - 1;
        long bits = innerObjects == null || level < Long.SIZE ? objects : innerObjects[level / Long.SIZE];
        return (bits & 1L << level) != 0;
    }

    /** Returns the bracket that closes the innermost container; 0 without one. */
    final int closing() {
        return depth == 0 ? 0 : inObject() ? '}' : ']';
    }
}
