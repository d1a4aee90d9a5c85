package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Holding;
import io.weir.access.TestCaller;
import io.weir.api.SubscriptionForm.Reorganisation;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.stream.BlockLogs;
import io.weir.subscription.stream.LogCriteria;
import io.weir.subscription.stream.MadeLogs;
import io.weir.subscription.stream.StreamBlock;
import io.weir.subscription.stream.StreamTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StreamEventsTest {

    private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final List<String> told = new ArrayList<>();
    private final List<Asked> asked = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private long now = 1;
    private final StreamEvents events = new StreamEvents(
            new Reorganisation(
                    "net_reorganised",
                    new Reorganisation.Place("fromHash", "from"),
                    new Reorganisation.Place("toHash", "to")),
            (block, addresses, sink) -> asked.add(new Asked(block.link(), sink)),
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
            event -> {
                if (!(event instanceof Delivered.Height)) {
                    told.add(text(event));
                }
            });

    private record Asked(BlockLink block, Consumer<@Nullable BlockLogs> sink) {

        void answer() {
            sink.accept(MadeLogs.logs(block, List.of(MadeLogs.log(block, 0, 1))));
        }
    }

    private record Member() implements StreamMember {
        @Override
        public Holding holding() {
            return new Holding(TestCaller.CLIENT, null);
        }

        @Override
        public SubscriptionKind kind() {
            return SubscriptionKind.LOGS;
        }

        @Override
        public LogCriteria criteria() {
            return LogCriteria.of(Set.of(), List.of());
        }

        @Override
        public void joined(long sequence) {}
    }

    private static String text(Delivered event) {
        if (event instanceof Delivered.Logs of) {
            return "logs of " + of.logs().block().hash();
        }
        if (event instanceof Delivered.Reorganisation of && of.toLogs()) {
            return "logs: " + new String(of.result(), UTF_8);
        }
        if (event instanceof Delivered.Result result) {
            return new String(result.result(), UTF_8);
        }
        return event instanceof Delivered.Reorganisation of ? new String(of.result(), UTF_8) : event.toString();
    }

    private static BlockLink link(long number, String hash) {
        return new BlockLink(number, hash, "0x0");
    }

    private void add(long number) {
        add(number, "0xb");
    }

    private void add(long number, String branch) {
        events.added(new StreamBlock(link(number, branch + number), RawJson.of("{\"n\":" + number + "}"), -1));
    }

    @Test
    void replacedBlocksAreToldOnceTogetherBeforeTheNewBranch() {
        add(6);
        events.removed(link(6, "0xa6"));
        events.removed(link(5, "0xa5"));
        events.removed(link(4, "0xa4"));
        assertThat(told).containsExactly("{\"n\":6}");
        add(4);
        add(5);
        assertThat(told)
                .containsExactly(
                        "{\"n\":6}",
                        "{\"fromHash\":\"0xa4\",\"from\":4,\"toHash\":\"0xa6\",\"to\":6}",
                        "{\"n\":4}",
                        "logs: {\"fromHash\":\"0xa4\",\"from\":4,\"toHash\":\"0xa6\",\"to\":6}",
                        "{\"n\":5}");
    }

    @Test
    void aStreamThatCannotGoOnEndsItsConnections() {
        events.lost("too many blocks were missed", link(9, "0xa"));
        assertThat(told).singleElement().asString().contains("too many blocks were missed");
    }

    private List<String> toldOfLogs() {
        return told.stream().filter(one -> one.startsWith("logs")).toList();
    }

    @Test
    void aReorganisationWaitsForTheLogsOfEarlierBlocksAndComesBeforeThoseOfTheNewBranch() {
        events.count(new Member(), 1);
        add(4);
        add(5);
        add(6);
        events.removed(link(6, "0xb6"));
        events.removed(link(5, "0xb5"));
        add(5, "0xc");
        events.removed(link(5, "0xc5"));
        add(5, "0xd");
        asked.get(4).answer();
        asked.get(2).answer();
        assertThat(toldOfLogs()).isEmpty();
        asked.get(0).answer();
        assertThat(toldOfLogs())
                .containsExactly(
                        "logs of 0xb4",
                        "logs: {\"fromHash\":\"0xb5\",\"from\":5,\"toHash\":\"0xb6\",\"to\":6}",
                        "logs: {\"fromHash\":\"0xc5\",\"from\":5,\"toHash\":\"0xc5\",\"to\":5}",
                        "logs of 0xd5");
    }

    /** Returns the last block whose logs a member that joins now is not told later. */
    private BlockLink told(BlockLink newest) {
        List<BlockLink> after = new ArrayList<>();
        events.joined(
                new StreamMember() {
                    @Override
                    public Holding holding() {
                        return new Holding(TestCaller.CLIENT, null);
                    }

                    @Override
                    public SubscriptionKind kind() {
                        return SubscriptionKind.LOGS;
                    }

                    @Override
                    public LogCriteria criteria() {
                        return LogCriteria.of(Set.of(), List.of());
                    }

                    @Override
                    public void joined(long sequence) {}

                    @Override
                    public void joinedAfter(BlockLink block) {
                        after.add(block);
                    }
                },
                newest);
        return after.get(0);
    }

    @Test
    void aSubscriptionToLogsJoinsAfterTheBlockWhoseLogsWereToldLast() {
        BlockLink start = link(3, "0xb3");
        events.began(start);
        assertThat(told(start)).isEqualTo(start);
        events.count(new Member(), 1);
        add(4);
        add(5);
        assertThat(told(link(5, "0xb5"))).isEqualTo(start);
        asked.get(0).answer();
        assertThat(told(link(5, "0xb5"))).isEqualTo(link(4, "0xb4"));
        events.removed(link(5, "0xb5"));
        assertThat(told(link(4, "0xb4"))).isEqualTo(link(4, "0xb4"));
        events.removed(new BlockLink(4, "0xb4", "0xb3"));
        assertThat(told(start).hash()).isEqualTo("0xb3");
        events.lost("too many blocks were missed", link(9, "0xa9"));
        assertThat(told(link(9, "0xa9"))).isEqualTo(link(9, "0xa9"));
    }

    @Test
    void logsAreAskedForOnlyWhileSomebodyWantsThemAndEndTheirSubscriptionsWhenNoNodeGivesThem() {
        add(4);
        assertThat(asked).isEmpty();
        Member member = new Member();
        events.count(member, 1);
        add(5);
        asked.get(0).sink().accept(null);
        timers.remove(0).run();
        now += GAP_NANOS;
        asked.get(1).sink().accept(null);
        assertThat(told).last().asString().contains("LOGS", "no node gave the logs of a block in time");
        events.count(member, -1);
        add(6);
        assertThat(asked).hasSize(2);
    }
}
