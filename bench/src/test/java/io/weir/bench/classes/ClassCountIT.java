package io.weir.bench.classes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.bench.classes.EnteredClasses.Entered;
import io.weir.bench.load.Options;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a reader of the path of a call or of a notification must hold in mind: the figures only go down. */
class ClassCountIT {

    // What a quiet machine counts, and up to two more.
    private static final Map<String, Bound> BOUNDS =
            Map.of("hit", new Bound(39, 18), "miss", new Bound(89, 65), "notification", new Bound(98, 46));

    private record Bound(int classes, int records) {

        boolean holds(Entered entered) {
            return entered.classes().size() <= classes && entered.records().size() <= records;
        }
    }

    @Test
    void aHitAMissAndANotificationEnterNoMoreClasses() throws Exception {
        Path checkout = Options.of(true, Path.of("")).checkout();
        Path jar = checkout.resolve("proxy-core/target/weir.jar");
        assertThat(jar).as("the built proxy (`mvn package` makes it)").isRegularFile();

        Map<String, Entered> entered = ClassCount.of(checkout, jar);
        for (int again = 0; again < 2 && !exceeded(entered).isEmpty(); again++) {
            // Beside other tests, periodic work falls into the calls more often.
            entered = ClassCount.of(checkout, jar);
        }

        assertThat(exceeded(entered)).isEmpty();
        assertThat(entered).containsOnlyKeys(BOUNDS.keySet());
    }

    private static Map<String, Entered> exceeded(Map<String, Entered> entered) {
        Map<String, Entered> exceeded = new TreeMap<>(entered);
        BOUNDS.forEach((what, bound) -> exceeded.computeIfPresent(what, (name, its) -> bound.holds(its) ? null : its));
        return exceeded;
    }
}
