package io.weir.subscription.stream;

import static io.weir.subscription.stream.MadeLogs.criteria;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogIndexTest {

    private static final BlockLink BLOCK = MadeLogs.block(7, 1);

    private static List<String> matches(LogIndex<String> index, String... logs) {
        BlockLogs of = MadeLogs.logs(BLOCK, List.of(logs));
        List<String> found = new ArrayList<>();
        for (int i = 0; i < of.size(); i++) {
            index.match(of, i, found::add);
        }
        return found;
    }

    @Test
    void aFilterNeedsAsManyTopicsAsItHasPositions() {
        LogIndex<String> index = new LogIndex<>();
        index.add(criteria("{}"), "all");
        index.add(criteria("{\"topics\":[]}"), "empty");
        index.add(criteria("{\"topics\":[null]}"), "one");
        index.add(criteria("{\"topics\":[null,[]]}"), "two");
        index.add(criteria("{\"topics\":[[" + MadeLogs.topic(1) + ",null]]}"), "any");
        assertThat(matches(index, MadeLogs.log(BLOCK, 0, 1))).containsExactlyInAnyOrder("all", "empty");
        assertThat(matches(index, MadeLogs.log(BLOCK, 0, 1, 5)))
                .containsExactlyInAnyOrder("all", "empty", "one", "any");
    }

    @Test
    void boundsOfBlocksHold() {
        LogIndex<String> index = new LogIndex<>();
        index.add(criteria("{\"fromBlock\":\"0x7\"}"), "from");
        index.add(criteria("{\"fromBlock\":\"0x8\",\"toBlock\":\"latest\"}"), "later");
        index.add(criteria("{\"fromBlock\":\"0x1\",\"toBlock\":\"0x6\"}"), "before");
        assertThat(matches(index, MadeLogs.log(BLOCK, 0, 1))).containsExactly("from");
    }

    @Test
    void aFilterWithVeryManyAlternativesMatchesAsAnyOther() {
        String topics =
                IntStream.range(0, 2_000).mapToObj(MadeLogs::topic).toList().toString();
        String addresses =
                IntStream.range(0, 2_000).mapToObj(MadeLogs::address).toList().toString();
        LogIndex<String> index = new LogIndex<>();
        LogCriteria many = criteria("{\"address\":" + addresses + ",\"topics\":[" + topics + "," + topics + "]}");
        index.add(many, "many");
        assertThat(matches(index, MadeLogs.log(BLOCK, 0, 1_999, 1_998, 3))).containsExactly("many");
        assertThat(matches(index, MadeLogs.log(BLOCK, 0, 1_999, 2_000, 3))).isEmpty();
        assertThat(matches(index, MadeLogs.log(BLOCK, 0, 1_999, 3))).isEmpty();
        index.remove(many, "many");
        assertThat(matches(index, MadeLogs.log(BLOCK, 0, 1_999, 1_998, 3))).isEmpty();
        assertThat(index.size()).isZero();
    }

    private static LogIndex<Integer> withTopics(int owners, IntFunction<String> topics) {
        LogIndex<Integer> index = new LogIndex<>();
        IntStream.range(0, owners)
                .forEach(owner -> index.add(criteria("{\"topics\":" + topics.apply(owner) + "}"), owner));
        return index;
    }

    private static String several(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(MadeLogs::topic)
                .toList()
                .toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[%s]", "[null,%s]", "[null,null,null,%s]"})
    void aLogIsNotComparedWithFiltersOfOtherTopicsHoweverManyEachHas(String topics) {
        LogIndex<Integer> index = withTopics(300, owner -> topics.formatted(several(owner * 70, 70)));
        BlockLogs logs = MadeLogs.logs(BLOCK, List.of(MadeLogs.log(BLOCK, 0, 1, 99, 99, 99, 99)));
        List<Integer> found = new ArrayList<>();
        assertThat(index.match(logs, 0, found::add)).isEqualTo(1);
        assertThat(found).containsExactly(1);
    }

    @Test
    void ofFiltersThatShareTheirFirstTopicsALogIsComparedWithThoseOfItsNextOne() {
        LogIndex<Integer> index = withTopics(300, owner -> "[" + several(1, 2) + "," + several(owner * 70, 70) + "]");
        BlockLogs logs = MadeLogs.logs(BLOCK, List.of(MadeLogs.log(BLOCK, 0, 1, 2, 99)));
        assertThat(index.match(logs, 0, owner -> {})).isEqualTo(1);
    }

    @Test
    void matchesAreThoseOfComparingEachFilter() {
        long seed = Long.getLong("weir.seed", new Random().nextLong());
        Random random = new Random(seed);
        LogIndex<String> index = new LogIndex<>();
        Map<String, Filter> filters = new HashMap<>();
        for (int step = 0; step < 2_000; step++) {
            String owner = "f" + random.nextInt(60);
            Filter before = filters.remove(owner);
            if (before == null) {
                Filter filter = Filter.random(random);
                filters.put(owner, filter);
                index.add(criteria(filter.json()), owner);
            } else {
                index.remove(criteria(before.json()), owner);
            }
            int[] log = IntStream.range(0, 1 + random.nextInt(5))
                    .map(i -> random.nextInt(4))
                    .toArray();
            List<String> expected = filters.entrySet().stream()
                    .filter(entry -> entry.getValue().matches(log))
                    .map(Map.Entry::getKey)
                    .toList();
            assertThat(matches(index, MadeLogs.log(BLOCK, 0, log)))
                    .as("-Dweir.seed=%d, step %d", seed, step)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /** A filter by the alternatives at each position, the addresses first; none for all. */
    private record Filter(List<List<Integer>> positions) {

        static Filter random(Random random) {
            List<List<Integer>> positions = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                positions.add(
                        random.ints(random.nextInt(3), 0, 4).distinct().boxed().toList());
            }
            return new Filter(positions);
        }

        String json() {
            List<String> topics = positions.stream()
                    .skip(1)
                    .map(position -> position.isEmpty()
                            ? "null"
                            : position.stream().map(MadeLogs::topic).toList().toString())
                    .toList();
            String addresses =
                    positions.get(0).stream().map(MadeLogs::address).toList().toString();
            return "{\"address\":" + addresses + ",\"topics\":" + topics + "}";
        }

        boolean matches(int[] log) {
            boolean fits = log.length >= positions.size();
            for (int i = 0; fits && i < positions.size(); i++) {
                fits = positions.get(i).isEmpty() || positions.get(i).contains(log[i]);
            }
            return fits;
        }
    }
}
