package io.weir.subscription;

import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockIds;
import io.weir.method.params.kind.JsonObject;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import io.weir.subscription.stream.BlockLogs;
import io.weir.subscription.stream.LogStream;
import io.weir.subscription.stream.StreamBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Logs of the stream's blocks, by the proxy's own calls: logs as Ethereum's by one, and events one page after the other. Confined to the
 * event loop of the stream.
 */
final class NodeLogs implements LogStream.Source {

    /** Bytes of the events of one block, about. A block with more counts as one whose events no node gives. */
    private static final long MAX_BYTES = 64L << 20;

    private final BlockIds ids;
    private final SubscriptionForm.EventLookup form;
    private final Calls calls;
    private final SubscriptionMeters meters;
    private final BlockLogs.Form logs;
    private final NameTable events;
    private final NameTable token;
    private final NameTable count;

    /** Calls about blocks, as {@link StreamBlocks.StreamCalls#ask} makes them. Confined to the event loop of the stream. */
    @FunctionalInterface
    interface Calls {
        void ask(RpcCall call, long number, Consumer<@Nullable RawJson> sink);
    }

    NodeLogs(BlockIds ids, SubscriptionForm.Events form, Calls calls, SubscriptionMeters meters) {
        this.ids = ids;
        this.form = form.lookup();
        this.calls = calls;
        this.meters = meters;
        SubscriptionForm.EventLookup.Members members = this.form.members();
        this.logs = new BlockLogs.Form(
                members.address(),
                members.keys(),
                members.blockHash(),
                NodeLogs::normal,
                ",\"" + form.finality() + "\":\"" + form.finalityValue() + '"');
        this.events = NameTable.of(Set.of(this.form.events()));
        this.token = NameTable.of(Set.of(this.form.token()));
        this.count = NameTable.of(Set.of(this.form.count()));
    }

    /** Returns the source of the logs or events that a form has. */
    static LogStream.Source of(BlockIds ids, SubscriptionForm form, Calls calls, SubscriptionMeters meters) {
        SubscriptionForm.Events events = form.events();
        if (events != null) {
            return new NodeLogs(ids, events, calls, meters);
        }
        if (form.logs() == null) {
            // Nobody can subscribe to them.
            return (of, addresses, sink) -> sink.accept(null);
        }
        return (of, addresses, sink) -> {
            BlockLink block = of.link();
            meters.fetched(Fetch.LOGS);
            calls.ask(
                    ChainCalls.logs(block.hash(), addresses),
                    block.number(),
                    result -> sink.accept(result == null ? null : BlockLogs.read(block, result)));
        };
    }

    /** Returns an address, key or hash in the form that all nodes share; null if the value is none. */
    static @Nullable RawJson normal(RawJson value) {
        String hash = BlockIds.hash(value);
        return hash.isEmpty() ? null : RawJson.of('"' + hash + '"');
    }

    @Override
    public void fetch(StreamBlock block, List<RawJson> addresses, Consumer<@Nullable BlockLogs> sink) {
        new Pages(block, sink).ask(null);
    }

    /** Pages of one block's events. Confined to the event loop of the stream. */
    private final class Pages {

        private final StreamBlock block;
        private final Consumer<@Nullable BlockLogs> sink;
        private final List<BlockLogs> read = new ArrayList<>();

        Pages(StreamBlock block, Consumer<@Nullable BlockLogs> sink) {
            this.block = block;
            this.sink = sink;
        }

        /** @param next the token of the page; null for the first one */
        void ask(@Nullable RawJson next) {
            meters.fetched(Fetch.LOGS);
            RawJson id = ids.of(block.link().hash());
            String params = "[{\"" + form.firstBlock() + "\":" + id + ",\"" + form.lastBlock() + "\":" + id + ",\""
                    + form.pageSize() + "\":" + form.maxPage()
                    + (next == null ? "" : ",\"" + form.token() + "\":" + next) + "}]";
            calls.ask(
                    new RpcCall(RawJson.NULL, form.method(), RawJson.of(params)),
                    block.link().number(),
                    this::took);
        }

        private void took(@Nullable RawJson answer) {
            RawJson list = answer == null || answer.first() != '{' ? null : JsonObject.member(answer, events);
            BlockLogs page = list == null ? null : BlockLogs.read(block.link(), list, logs);
            if (answer == null || page == null) {
                sink.accept(null);
                return;
            }
            read.add(page);
            RawJson next = JsonObject.member(answer, token);
            BlockLogs all = BlockLogs.joined(block.link(), read);
            if (next == null || next.first() != '"') {
                sink.accept(isWhole(all) ? all : null);
            } else if (page.size() == 0 || all.bytes() > MAX_BYTES) {
                sink.accept(null);
            } else {
                ask(next);
            }
        }

        /** Nodes may read each other's tokens in another way, so that several pages count only if none of their events is missing. */
        private boolean isWhole(BlockLogs all) {
            RawJson told = read.size() == 1 ? null : JsonObject.member(block.header(), count);
            return told == null || BlockIds.decimal(told) == all.size();
        }
    }
}
