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
 * @param rest of the first starts, as many as there are turns, before their memory is looked at
 * @param idle for how long nobody asks, to count what the node is asked then
 * @param full whether wrk and h2load drive wherever they can, and each workload begins with new processes; else our own driver
 *     does, but for one workload, and processes are kept
 */
public record Pace(
        int turns,
        int latencyTurns,
        Duration warm,
        Duration time,
        int starts,
        Duration rest,
        Duration idle,
        boolean full) {

    private static final int OTHERS = 5;
    private static final int TURNS = 5;
    /** Each with new connections: a server that is compiled while it runs has then seen them come and go. */
    private static final int WARM_ROUNDS = 4;

    /** For figures that are to be believed. */
    public static final Pace FULL = of(24, 6, 10, 2, 90);

    /** For the goals alone, in a quarter of an hour. */
    public static final Pace GOALS = of(16, 4, 15, 30, 30);

    /** To see that everything works: under a minute. */
    public static final Pace SHORT = new Pace(
            1,
            1,
            Duration.ofMillis(1000),
            Duration.ofMillis(400),
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            false);

    private static Pace of(int warm, int time, int starts, int rest, int idle) {
        return new Pace(
                TURNS,
                TURNS,
                Duration.ofSeconds(warm),
                Duration.ofSeconds(time),
                starts,
                Duration.ofSeconds(rest),
                Duration.ofSeconds(idle),
                true);
    }

    /** To warm up a server: one that is compiled while it runs takes long, the others only fill their memory. */
    Duration warm(ServerName name) {
        boolean compiled = name.isWeir() || name == ServerName.BARE || name == ServerName.NETTY_PASS;
        return compiled ? warm : warm.dividedBy(OTHERS);
    }

    /** Warming up in rounds, of which each is as long as this. */
    List<Duration> warmRounds(ServerName name) {
        return Collections.nCopies(WARM_ROUNDS, warm(name).dividedBy(WARM_ROUNDS));
    }

    /** The same with other turns. */
    public Pace withTurns(int count) {
        return new Pace(
                count, Math.min(count, latencyTurns), warm, time, Math.min(starts, 3 * count), rest, idle, full);
    }

    /** The same with another time before the first turn. */
    public Pace withWarm(Duration length) {
        return new Pace(turns, latencyTurns, length, time, starts, rest, idle, full);
    }

    /** The same with turns of another length. */
    public Pace withTime(Duration length) {
        return new Pace(turns, latencyTurns, warm, length, starts, rest, idle, full);
    }
}
