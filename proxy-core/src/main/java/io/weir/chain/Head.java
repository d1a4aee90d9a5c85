package io.weir.chain;

/**
 * A network's head as it is known at one moment. Immutable.
 *
 * @param number the highest block; -1 where none is known
 * @param ageNanos how long ago it was asked for when it was confirmed last; -1 where it never was
 * @param fresh whether calls may be held to it without asking
 */
public record Head(long number, long ageNanos, boolean fresh) {}
