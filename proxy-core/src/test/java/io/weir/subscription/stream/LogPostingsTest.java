package io.weir.subscription.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogPostingsTest {

    private static final BlockLink BLOCK = MadeLogs.block(7, 1);

    private static int[] matching(String filter, String... logs) {
        return new BlockLogs.Postings(MadeLogs.logs(BLOCK, List.of(logs)))
                .matching(MadeLogs.criteria(filter), looked -> {});
    }

    @Test
    void logsAreFoundInTheirOrder() {
        String[] logs = {
            MadeLogs.log(BLOCK, 0, 2), MadeLogs.log(BLOCK, 1, 1), MadeLogs.log(BLOCK, 2, 2), MadeLogs.log(BLOCK, 3, 3)
        };
        String both = "{\"address\":[" + MadeLogs.address(1) + "," + MadeLogs.address(2) + "]}";
        assertThat(matching(both, logs)).containsExactly(0, 1, 2);
        assertThat(matching("{}", logs)).containsExactly(0, 1, 2, 3);
        assertThat(matching("{\"address\":" + MadeLogs.address(4) + "}", logs)).isEmpty();
        assertThat(matching("{\"fromBlock\":\"0x8\"}", logs)).isEmpty();
        assertThat(matching("{\"fromBlock\":\"0x1\",\"toBlock\":\"0x6\"}", logs))
                .isEmpty();
        assertThat(matching("{}")).isEmpty();
    }

    @Test
    void matchesAreThoseOfTheIndexOverCriteria() {
        long seed = Long.getLong("weir.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int step = 0; step < 1_000; step++) {
            List<String> made = new ArrayList<>();
            int count = random.nextInt(20);
            for (int i = 0; i < count; i++) {
                made.add(MadeLogs.log(
                        BLOCK,
                        i,
                        IntStream.range(0, 1 + random.nextInt(4))
                                .map(position -> random.nextInt(4))
                                .toArray()));
            }
            BlockLogs logs = MadeLogs.logs(BLOCK, made);
            LogCriteria criteria = criteria(random);
            LogIndex<String> index = new LogIndex<>();
            index.add(criteria, "one");
            int[] expected = IntStream.range(0, count)
                    .filter(i -> {
                        List<String> owners = new ArrayList<>();
                        index.match(logs, i, owners::add);
                        return !owners.isEmpty();
                    })
                    .toArray();
            assertThat(new BlockLogs.Postings(logs).matching(criteria, looked -> {}))
                    .as("-Dweir.seed=%d, step %d", seed, step)
                    .isEqualTo(expected);
        }
    }

    @Test
    void criteriaWithoutAnAddressAreComparedOnlyWithLogsOfTheirFirstTopic() {
        String[] logs = IntStream.range(0, 1_000)
                .mapToObj(i -> MadeLogs.log(BLOCK, i, 1, i % 2, i))
                .toArray(String[]::new);
        BlockLogs.Postings postings = new BlockLogs.Postings(MadeLogs.logs(BLOCK, List.of(logs)));
        AtomicInteger looked = new AtomicInteger();
        String filter = "{\"topics\":[null,[" + MadeLogs.topic(7) + "," + MadeLogs.topic(5_000) + "]]}";
        assertThat(postings.matching(MadeLogs.criteria(filter), looked::addAndGet))
                .containsExactly(7);
        assertThat(looked.get()).as("two values and one log").isEqualTo(3);
        postings.matching(MadeLogs.criteria("{\"topics\":[null]}"), looked::addAndGet);
        assertThat(looked.get()).isEqualTo(1_003);
    }

    private static LogCriteria criteria(Random random) {
        List<String> addresses = random.ints(random.nextInt(8), 0, 8)
                .distinct()
                .mapToObj(MadeLogs::address)
                .toList();
        List<String> topics = random.ints(random.nextInt(3), 0, 5)
                .mapToObj(topic -> topic == 4 ? "null" : MadeLogs.topic(topic))
                .toList();
        return MadeLogs.criteria("{\"address\":" + addresses + ",\"topics\":" + topics + "}");
    }
}
