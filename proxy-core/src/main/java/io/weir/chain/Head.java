package io.weir.chain;

/**
 * Network's head as known at one moment. Immutable.
 *
 * @param number the highest block; -1 if none is known
 * @param ageNanos time since the request that last confirmed it; -1 if none did
 * @param fresh whether calls may be held to it without asking nodes
 */
public record Head(long number, long ageNanos, boolean fresh) {}
