package io.weir.subscription.stream;

import static io.weir.subscription.stream.MadeLogs.block;
import static io.weir.subscription.stream.MadeLogs.criteria;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogStreamTest {

    private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final List<Asked> asked = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private long now = 1;

    private final LogStream stream = new LogStream(
            (block, addresses, sink) -> asked.add(new Asked(block.link(), addresses, sink)),
            new StreamTimer() {
                @Override
                public long now() {
                    return now;
                }

                @Override
                public void after(long nanos, Runnable action) {
                    timers.add(action);
                }
            },
            new Events(),
            64);

    private record Asked(BlockLink block, List<RawJson> addresses, Consumer<@Nullable BlockLogs> sink) {

        void answer(int... addresses) {
            List<String> logs = new ArrayList<>();
            for (int address : addresses) {
                logs.add(MadeLogs.log(block, logs.size(), address));
            }
            sink.accept(MadeLogs.logs(block, logs));
        }
    }

    private final class Events implements LogStream.Listener {

        @Override
        public void added(BlockLogs logs, long sequence) {
            events.add("+" + logs.block().number() + ":" + logs.size());
        }

        @Override
        public void removed(BlockLogs logs, long sequence) {
            events.add("-" + logs.block().number());
        }

        @Override
        public void passed(BlockLink block) {}

        @Override
        public void lost(String reason) {
            events.add(reason);
        }
    }

    private static StreamBlock header(BlockLink link) {
        return new StreamBlock(link, RawJson.of("{}"), -1);
    }

    private static StreamBlock empty(BlockLink link) {
        return new StreamBlock(link, RawJson.of("{\"logsBloom\":\"0x" + "0".repeat(512) + "\"}"), 13);
    }

    @Test
    void nothingIsAskedWithoutFiltersAndForBlocksWhoseBloomRulesThemOut() {
        stream.added(header(block(1, 1)));
        stream.count(criteria("{\"address\":" + MadeLogs.address(1) + "}"), 1);
        stream.added(empty(block(2, 1)));
        assertThat(asked).isEmpty();
        stream.added(header(block(3, 1)));
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0).addresses()).containsExactly(RawJson.of(MadeLogs.address(1)));
    }

    @Test
    void aFilterWithoutAddressAndTooManyAddressesAskForAllLogs() {
        for (int i = 0; i < 33; i++) {
            stream.count(criteria("{\"address\":" + MadeLogs.address(i) + "}"), 1);
        }
        stream.added(header(block(1, 1)));
        assertThat(asked.get(0).addresses()).isEmpty();
        stream.count(criteria("{\"address\":" + MadeLogs.address(3) + "}"), -1);
        stream.count(criteria("{\"topics\":[" + MadeLogs.topic(1) + "]}"), 1);
        asked.get(0).answer();
        stream.added(header(block(2, 1)));
        assertThat(asked.get(1).addresses()).isEmpty();
        stream.count(criteria("{\"topics\":[" + MadeLogs.topic(1) + "]}"), -1);
        asked.get(1).answer();
        stream.added(header(block(3, 1)));
        assertThat(asked.get(2).addresses()).hasSize(32);
    }

    @Test
    void blocksWaitForTheLogsOfThoseBefore() {
        stream.count(criteria("{}"), 1);
        stream.added(header(block(1, 1)));
        stream.added(header(block(2, 1)));
        stream.added(header(block(3, 1)));
        asked.get(2).answer(1, 3);
        asked.get(1).answer(1);
        assertThat(events).isEmpty();
        asked.get(0).answer(1, 2, 3);
        assertThat(events).containsExactly("+1:3", "+2:1", "+3:2");
    }

    @Test
    void aFilterThatComesWhileLogsAreFetchedIsAskedForToo() {
        stream.count(criteria("{\"address\":" + MadeLogs.address(1) + "}"), 1);
        stream.added(header(block(1, 1)));
        stream.count(criteria("{\"address\":" + MadeLogs.address(2) + "}"), 1);
        asked.get(0).answer(1);
        assertThat(events).isEmpty();
        asked.get(1).answer(1, 2);
        assertThat(events).containsExactly("+1:2");
    }

    @Test
    void removedBlocksTakeBackTheirLogsAndThoseThatWereNotToldAreDropped() {
        stream.count(criteria("{}"), 1);
        stream.added(header(block(1, 1)));
        stream.added(header(block(2, 1)));
        stream.added(header(block(3, 1)));
        asked.get(0).answer(1);
        asked.get(1).answer();
        stream.removed(block(3, 1));
        stream.removed(block(2, 1));
        stream.removed(block(1, 1));
        stream.added(header(block(1, 2)));
        asked.get(2).answer(1, 1, 1);
        asked.get(3).answer(1, 1);
        assertThat(events).containsExactly("+1:1", "-1", "+1:2");
        assertThat(asked.get(3).block()).isEqualTo(block(1, 2));
    }

    @Test
    void logsThatNoNodeGivesAreAskedForAgainAndThenLost() {
        stream.count(criteria("{}"), 1);
        stream.added(header(block(1, 1)));
        asked.get(0).sink().accept(null);
        timers.remove(0).run();
        now += GAP_NANOS;
        asked.get(1).sink().accept(null);
        assertThat(events).containsExactly("no node gave the logs of a block in time");
        stream.added(header(block(2, 1)));
        asked.get(2).answer(1);
        assertThat(events).hasSize(2);
    }

    @Test
    void aRemovedLogSaysSoWhateverItsForm() {
        BlockLink block = block(1, 1);
        String plain = MadeLogs.log(block, 0, 1);
        BlockLogs logs = MadeLogs.logs(block, List.of(plain, plain.replace(",\"removed\":false", "")));
        String removed = plain.replace("false", "true");
        assertThat(new String(logs.removedText(0))).isEqualTo(removed);
        assertThat(new String(logs.removedText(1))).isEqualTo(removed);
        assertThat(new String(logs.text(0))).isEqualTo(plain);
    }

    @Test
    void aLogInAnotherFormPassesAsItIsBesideTheOthers() {
        BlockLink block = block(1, 1);
        String plain = MadeLogs.log(block, 0, 1, 2);
        String untopical = plain.replace("[" + MadeLogs.topic(2) + "]", "null");
        String prefixed = plain.replace(MadeLogs.address(1), MadeLogs.address(1).replace("0x", "xdc"));
        String nameless = plain.replace("\"address\":" + MadeLogs.address(1) + ",", "");
        BlockLogs logs = MadeLogs.logs(block, List.of(untopical, prefixed, nameless, plain));
        assertThat(new String(logs.text(0))).isEqualTo(untopical);
        BlockLogs.Postings postings = new BlockLogs.Postings(logs);
        assertThat(postings.matching(MadeLogs.criteria("{}"), looked -> {})).containsExactly(0, 1, 2, 3);
        String byAddress = "{\"address\":" + MadeLogs.address(1) + "}";
        assertThat(postings.matching(MadeLogs.criteria(byAddress), looked -> {}))
                .containsExactly(0, 1, 3);
        String byTopic = "{\"topics\":[" + MadeLogs.topic(2) + "]}";
        assertThat(postings.matching(MadeLogs.criteria(byTopic), looked -> {})).containsExactly(1, 2, 3);
    }

    @Test
    void logsOfAnotherBlockAreNoAnswer() {
        String other = MadeLogs.log(block(1, 2), 0, 1);
        assertThat(BlockLogs.read(block(1, 1), RawJson.of("[" + other + "]"))).isNull();
    }
}
