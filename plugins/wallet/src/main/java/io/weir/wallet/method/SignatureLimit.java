package io.weir.wallet.method;

import io.weir.l2.Felt;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** How often one message is signed for one tenant: many signatures of one message help whoever measures them. Thread-safe. */
final class SignatureLimit {
    private static final int MAX_KEPT = 10_000;
    private static final int MAX_PER_WINDOW = 10;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final Map<Signed, Count> counts = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Signed, Count> eldest) {
            return size() > MAX_KEPT;
        }
    };

    private record Signed(String tenant, Felt hash) {}

    private record Count(Instant since, int signatures) {}

    SignatureLimit(InstantSource clock) {
        this.clock = clock;
    }

    /** Counts a signature. Returns whether it may be made. */
    synchronized boolean admits(String tenant, Felt hash) {
        Instant now = clock.instant();
        Count count = counts.get(new Signed(tenant, hash));
        if (count == null || count.since().plus(WINDOW).isBefore(now)) {
            count = new Count(now, 0);
        }
        counts.put(new Signed(tenant, hash), new Count(count.since(), count.signatures() + 1));
        return count.signatures() < MAX_PER_WINDOW;
    }
}
