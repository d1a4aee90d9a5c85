package io.weir.bench.load.traffic;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Traffic with the answers that it must get. Constant parts are computed once. Confined to one thread. */
public final class TrafficCheck {

    private final Traffic traffic;
    private final AnswerCheck check;
    private final byte @Nullable [] expected;
    private byte @Nullable [] knownGood;

    /** Traffic and what checks it. */
    public TrafficCheck(Traffic traffic, AnswerCheck check) {
        this.traffic = traffic;
        this.check = check;
        this.expected = traffic instanceof Traffic.Same ? check.expected(traffic.body(0)) : null;
    }

    /** The body of the request at a place. */
    public byte[] body(long place) {
        return traffic.body(place);
    }

    /** Returns the defect of the answer to the request at a place; null if it is right. */
    public @Nullable String problem(long place, byte[] answer) {
        if (expected != null && (Arrays.equals(expected, answer) || Arrays.equals(knownGood, answer))) {
            return null;
        }
        String problem = check.problem(traffic.body(place), answer);
        if (problem == null && expected != null) {
            // Another way to write it: the next ones will be written so too.
            knownGood = answer;
        }
        return problem;
    }
}
