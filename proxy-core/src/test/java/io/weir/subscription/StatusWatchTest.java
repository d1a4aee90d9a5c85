package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.Holding;
import io.weir.access.TestCaller;
import io.weir.api.SubscriptionForm.Status;
import io.weir.api.SubscriptionForm.Topic;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.stream.LogCriteria;
import io.weir.subscription.stream.StreamTimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The status of transactions, with a clock of its own. */
class StatusWatchTest {

    private final Map<String, String> statuses = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Time time = new Time();
    private final Blocks blocks = new Blocks();
    private final StatusWatch watch = new StatusWatch(
            new Status(new Topic("sub", "note"), "hash", "status", "look", "at", List.of("SEEN", "MINED", "FINAL")),
            time,
            blocks,
            (call, sink) -> {
                String hash = call.params().toString();
                asked.add(hash);
                String status = statuses.get(hash);
                sink.accept(
                        status == null
                                ? RpcReply.failure(ErrorCode.INVALID_INPUT.error())
                                : new RpcReply.Result(RawJson.of("{\"at\":\"" + status + "\"}")));
            },
            new SubscriptionMeters(new Meters(new MetricRegistry()), "main"),
            event -> told.add(new String(((Delivered.Result) ((Delivered.ToOne) event).event()).result(), UTF_8)));

    private static final class Time implements StreamTimer {
        private final PriorityQueue<Task> tasks = new PriorityQueue<>();
        private long now;
        private long order;

        private record Task(long at, long order, Runnable action) implements Comparable<Task> {
            @Override
            public int compareTo(Task other) {
                return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
            }
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public void after(long nanos, Runnable action) {
            tasks.add(new Task(now + nanos, order++, action));
        }

        void pass(long seconds) {
            long until = now + TimeUnit.SECONDS.toNanos(seconds);
            while (!tasks.isEmpty() && tasks.element().at() <= until) {
                Task task = tasks.remove();
                now = task.at();
                task.action().run();
            }
            now = until;
        }
    }

    private static final class Blocks implements EventSource {
        private int members;

        @Override
        public void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
            members++;
            joined.accept(null);
        }

        @Override
        public void leave(StreamMember member) {
            members--;
        }
    }

    private record Member(@Nullable RawJson subject, Holding holding) implements StreamMember {
        @Override
        public SubscriptionKind kind() {
            return SubscriptionKind.TRANSACTION_STATUS;
        }

        @Override
        public @Nullable LogCriteria criteria() {
            return null;
        }

        @Override
        public void joined(long sequence) {}

        @Override
        public void joinedAfter(BlockLink newest) {}

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    private Member join(String hash) {
        return join(hash, TestCaller.CLIENT.name());
    }

    private Member join(String hash, String caller) {
        Holding holding = new Holding(TestCaller.of(caller, null), null);
        Member member = new Member(RawJson.of('"' + hash + '"'), holding);
        watch.join(
                member,
                0,
                refusal -> told.add(refusal == null ? "joined" : refusal.error().message()));
        return member;
    }

    private void status(String hash, String status) {
        statuses.put("[\"" + hash + "\"]", status);
    }

    private static String text(String hash, String status) {
        return "{\"hash\":\"" + hash + "\",\"status\":{\"at\":\"" + status + "\"}}";
    }

    private void mine() {
        watch.take(new Delivered.Result(SubscriptionKind.NEW_HEADS, new byte[0], new byte[0]));
    }

    @Test
    void aStatusIsToldOnceKnownAndWhenItChangesAndIsNotAskedForAfterTheLastOne() {
        join("0x1");
        assertThat(told).containsExactly("joined");
        status("0x1", "SEEN");
        time.pass(5);
        mine();
        status("0x1", "FINAL");
        mine();
        assertThat(told).containsExactly("joined", text("0x1", "SEEN"), text("0x1", "FINAL"));
        int before = asked.size();
        mine();
        time.pass(60);
        assertThat(asked).hasSize(before);
    }

    @Test
    void subscriptionsOfOneTransactionShareItsRequests() {
        status("0x1", "MINED");
        join("0x1");
        int before = asked.size();
        join("0x1");
        assertThat(told).containsExactly("joined", text("0x1", "MINED"), "joined", text("0x1", "MINED"));
        assertThat(asked).hasSize(before);
    }

    @Test
    void aLaggingNodeTakesNoStatusBackButAReorganisationMay() {
        status("0x1", "MINED");
        join("0x1");
        status("0x1", "SEEN");
        mine();
        status("0x1", "MINED\",\"worded\":\"otherwise");
        time.pass(20);
        status("0x1", "SEEN");
        assertThat(told).containsExactly("joined", text("0x1", "MINED"));
        watch.take(new Delivered.Reorganisation(new byte[0], false));
        mine();
        assertThat(told).endsWith(text("0x1", "SEEN"));
    }

    @Test
    void nothingIsAskedOnceAllHaveLeft() {
        Member member = join("0x1");
        watch.leave(member);
        time.pass(10);
        int before = asked.size();
        mine();
        time.pass(60);
        assertThat(asked).hasSize(before);
        assertThat(blocks.members).isZero();
    }

    @Test
    void oneTransactionMoreThanAreWatchedIsRefusedAndLeavesTheStream() {
        for (int i = 0; i < 1024; i++) {
            join("0x" + Integer.toHexString(i), "caller " + i);
        }
        join("0xfffff");
        assertThat(told.get(told.size() - 1))
                .isEqualTo("the status of too many transactions is wanted (expected: at most 1024)");
        assertThat(blocks.members).isEqualTo(1024);
    }

    @Test
    void oneCallerLeavesSomeTransactionsToOthersAndATransactionCountsForThoseWhoStillWatchIt() {
        Member shared = join("0x0", "a");
        join("0x0", "b");
        List<Member> own = new ArrayList<>();
        for (int i = 1; i < 1024; i++) {
            own.add(join("0x" + Integer.toHexString(i), "a"));
        }
        assertThat(told.get(told.size() - 1)).endsWith("(expected: at most the caller's share of 1024)");
        assertThat(blocks.members).isEqualTo(912);
        join("0xffff0", "b");
        assertThat(told.get(told.size() - 1)).isEqualTo("joined");
        watch.leave(shared);
        own.subList(0, 2).forEach(watch::leave);
        time.pass(1);
        join("0xffff1", "a");
        assertThat(told.get(told.size() - 1)).isEqualTo("joined");
        join("0xffff2", "a");
        assertThat(told.get(told.size() - 1))
                .as("the slot of the transaction that b still watches is not free")
                .endsWith("share of 1024)");
    }
}
