package io.weir.chain;

/**
 * Moment in the order of the events of one head. Immutable.
 *
 * @param stamp of the moment; that of a later event is greater
 */
public record HeadMoment(long stamp) {}
