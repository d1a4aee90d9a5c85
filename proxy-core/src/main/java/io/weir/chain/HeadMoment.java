package io.weir.chain;

/**
 * Moment in the order of the events of one head, at which nodes are asked or something begins. Immutable.
 *
 * @param stamp of the moment; that of a later event is greater. 0 is before all events
 * @param nanos the time, on the tracker's clock
 * @param urgent whether the head was in doubt, so that all upstreams must name theirs before it counts as fresh
 * @param announced whether a node told its head unasked then
 */
public record HeadMoment(long stamp, long nanos, boolean urgent, boolean announced) {}
