package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.SubscriptionForm;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.method.params.kind.JsonObject;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import io.weir.subscription.stream.StreamTimer;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Source of the status of transactions. It asks for each transaction once, whatever the number of its subscriptions. It asks
 * at the beginning, with each new block, and from time to time, until the status is the last one. Members are in the stream of blocks too.
 * Confined to the event loop of the stream, except for the methods of {@link EventSource}.
 */
final class StatusWatch implements EventSource {

    /** Transactions of one network at the same time. */
    private static final int MAX_TRANSACTIONS = 1024;

    /** Requests at the same time. */
    private static final int MAX_OPEN = 8;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final SubscriptionForm.Status form;
    private final StreamTimer timer;
    private final EventSource blocks;
    private final BiConsumer<RpcCall, Consumer<RpcReply>> calls;
    private final SubscriptionMeters meters;
    private final Consumer<Delivered> sink;
    private final NameTable finality;
    private final Budget slots = new Budget(MAX_TRANSACTIONS);
    private final Map<RawJson, Watched> byHash = new LinkedHashMap<>();
    private final Queue<Watched> due = new ArrayDeque<>();
    private int open;
    private boolean ticking;

    /** Transaction whose status is wanted. Confined to the event loop of the stream. */
    private static final class Watched {

        private final RawJson hash;
        private final Set<StreamMember> members = new LinkedHashSet<>();
        /** The slot, held by the member that has watched it for the longest time. */
        private Reservation slot;

        private @Nullable RawJson told;
        private int rank = -1;
        private boolean isDue;

        Watched(RawJson hash, Reservation slot) {
            this.hash = hash;
            this.slot = slot;
        }
    }

    /**
     * @param timer of the event loop; thread-safe
     * @param blocks the stream of blocks
     * @param calls makes the proxy's own calls
     * @param sink receives each event, in order
     */
    StatusWatch(
            SubscriptionForm.Status form,
            StreamTimer timer,
            EventSource blocks,
            BiConsumer<RpcCall, Consumer<RpcReply>> calls,
            SubscriptionMeters meters,
            Consumer<Delivered> sink) {
        this.form = form;
        this.timer = timer;
        this.blocks = blocks;
        this.calls = calls;
        this.meters = meters;
        this.sink = sink;
        this.finality = NameTable.of(Set.of(form.finality()));
    }

    @Override
    public void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
        blocks.join(member, deadlineNanos, refusal -> {
            Watched watched = refusal == null ? watched(member) : null;
            if (watched != null) {
                joined.accept(null);
                add(member, watched);
            } else if (refusal == null) {
                joined.accept(excess(member));
                blocks.leave(member);
            } else {
                joined.accept(refusal);
            }
        });
    }

    @Override
    public void leave(StreamMember member) {
        blocks.leave(member);
        timer.after(0, () -> remove(member));
    }

    /** Returns the transaction of a member; null if the member may not have one more watched. */
    private @Nullable Watched watched(StreamMember member) {
        Watched watched = byHash.get(subject(member));
        if (watched != null) {
            return watched;
        }
        Reservation slot = member.holding().reserve(slots);
        return slot.tryAdd(1) ? new Watched(subject(member), slot) : null;
    }

    private RpcReply.Failure excess(StreamMember member) {
        meters.refused();
        return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error("the status of too many transactions is wanted "
                + member.holding().refused(slots, 1)));
    }

    private static RawJson subject(StreamMember member) {
        return Objects.requireNonNull(member.subject());
    }

    private void add(StreamMember member, Watched watched) {
        byHash.put(watched.hash, watched);
        watched.members.add(member);
        RawJson told = watched.told;
        if (told == null) {
            ask(watched);
        } else {
            tell(member, watched.hash, told);
        }
        if (!ticking) {
            ticking = true;
            tick();
        }
    }

    private void remove(StreamMember member) {
        Watched watched = byHash.get(subject(member));
        if (watched == null || !watched.members.remove(member)) {
            return;
        }
        Reservation before = watched.slot;
        if (watched.members.isEmpty()) {
            byHash.remove(watched.hash);
        } else {
            watched.slot = watched.members.iterator().next().holding().reserve(slots);
            watched.slot.takeOver(before, 1);
        }
        before.close();
    }

    private void tick() {
        if (byHash.isEmpty()) {
            ticking = false;
            return;
        }
        askAll();
        timer.after(PAUSE_NANOS, this::tick);
    }

    /** Takes an event of the stream. A new block may change statuses, and one that is no longer canonical may take them back. */
    void take(Delivered event) {
        if (event instanceof Delivered.Reorganisation of && !of.toLogs()) {
            byHash.values().forEach(watched -> watched.rank = -1);
        } else if (event instanceof Delivered.Result result && result.kind() == SubscriptionKind.NEW_HEADS) {
            askAll();
        }
    }

    private void askAll() {
        List.copyOf(byHash.values()).forEach(this::ask);
    }

    private boolean isLast(Watched watched) {
        return watched.rank == form.order().size() - 1;
    }

    private void ask(Watched watched) {
        if (!watched.isDue && !isLast(watched)) {
            watched.isDue = true;
            due.add(watched);
            next();
        }
    }

    private void next() {
        while (open < MAX_OPEN && !due.isEmpty()) {
            Watched watched = due.remove();
            if (watched.members.isEmpty()) {
                continue;
            }
            open++;
            meters.fetched(Fetch.STATUS);
            RpcCall call = new RpcCall(RawJson.NULL, form.lookup(), RawJson.of("[" + watched.hash + ']'));
            calls.accept(call, reply -> {
                open--;
                watched.isDue = false;
                if (reply instanceof RpcReply.Result result) {
                    took(watched, result.value().compact());
                }
                next();
            });
        }
    }

    private void took(Watched watched, RawJson status) {
        int rank = rank(status);
        // A node that lags still has an earlier status, and nodes word the same one differently.
        if (rank <= watched.rank) {
            return;
        }
        watched.rank = rank;
        if (!Objects.equals(watched.told, status)) {
            watched.told = status;
            watched.members.forEach(member -> tell(member, watched.hash, status));
        }
    }

    private int rank(RawJson status) {
        RawJson value = status.first() == '{' ? JsonObject.member(status, finality) : null;
        return value == null || value.first() != '"'
                ? -1
                : form.order()
                        .indexOf(JsonString.unescape(
                                value.array(), value.offset() + 1, value.offset() + value.length() - 1));
    }

    private void tell(StreamMember member, RawJson hash, RawJson status) {
        String text = "{\"" + form.parameter() + "\":" + hash + ",\"" + form.status() + "\":" + status + '}';
        byte[] result = text.getBytes(UTF_8);
        sink.accept(
                new Delivered.ToOne(member, new Delivered.Result(SubscriptionKind.TRANSACTION_STATUS, result, result)));
    }
}
