package io.weir.bench.load.traffic;

/** Gives the traffic of the next turn: the same again, or such as was never asked for. */
@FunctionalInterface
public interface TrafficSource {
    /** The next one. */
    Traffic next();
}
