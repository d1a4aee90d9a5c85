package io.weir.bench.load.work;

import io.weir.bench.load.server.ServerName;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * How long and how often a run measures. Immutable.
 *
 * @param turns of each server with as much load as it takes
 * @param latencyTurns of each server at half of that
 * @param warm before the first turn, not counted
 * @param time of a turn
 * @param starts of the proxy, to see how long they take
 * @param idle for how long nobody asks, to count what the node is asked then
 * @param full whether wrk and h2load drive wherever they can, and each workload begins with new processes; else our own driver
 *     does, but for one workload, and processes are kept
 */
public record Pace(int turns, int latencyTurns, Duration warm, Duration time, int starts, Duration idle, boolean full) {

    private static final int OTHERS = 5;
    /** Each with new connections: a server that is compiled while it runs has then seen them come and go. */
    private static final int WARM_ROUNDS = 4;

    /** For figures that are to be believed. */
    public static final Pace FULL =
            new Pace(5, 5, Duration.ofSeconds(24), Duration.ofSeconds(6), 10, Duration.ofSeconds(90), true);

    /** To see that everything works: under a minute. */
    public static final Pace SHORT =
            new Pace(1, 1, Duration.ofMillis(1000), Duration.ofMillis(400), 1, Duration.ofSeconds(2), false);

    /** To warm up a server: one that is compiled while it runs takes long, the others only fill their memory. */
    Duration warm(ServerName name) {
        return name.isWeir() || name == ServerName.BARE ? warm : warm.dividedBy(OTHERS);
    }

    /** Warming up in rounds, of which each is as long as this. */
    List<Duration> warmRounds(ServerName name) {
        return Collections.nCopies(WARM_ROUNDS, warm(name).dividedBy(WARM_ROUNDS));
    }

    /** The same with other turns. */
    public Pace withTurns(int count) {
        return new Pace(count, Math.min(count, latencyTurns), warm, time, starts, idle, full);
    }

    /** The same with turns of another length. */
    public Pace withTime(Duration length) {
        return new Pace(turns, latencyTurns, warm, length, starts, idle, full);
    }
}
