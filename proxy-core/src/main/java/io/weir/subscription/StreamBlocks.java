package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.EventLoop;
import io.weir.api.BlockForm;
import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.config.NetworkConfig;
import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.AnswerKind;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.Route;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import io.weir.subscription.stream.ChainStream;
import io.weir.subscription.stream.StreamBlock;
import io.weir.upstream.CallCause;
import io.weir.upstream.NetworkHead.ShownBlock;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Blocks for the stream. A block that a node showed lately is taken from memory. The others come by the proxy's own calls: from the cache
 * or from any node. If the network verifies, these are compared with their hash here. Confined to the event loop of the stream.
 */
final class StreamBlocks implements ChainStream.Headers {

    private final StreamCalls calls;
    private final BlockIds ids;
    private final HeaderForm header;
    /** By which fetched blocks are compared with their hash; null if they are taken as they are. */
    private final @Nullable ChainRules rules;

    private final ShownBlocks shown;
    private final SubscriptionMeters meters;

    /** @param members the members of a header, in their order */
    StreamBlocks(
            NetworkConfig network,
            BlockIds ids,
            List<String> members,
            StreamCalls calls,
            ShownBlocks shown,
            SubscriptionMeters meters) {
        this.calls = calls;
        this.ids = ids;
        this.header = new HeaderForm(ids, members);
        this.rules = network.verifies() ? ChainRules.of(network) : null;
        this.shown = shown;
        this.meters = meters;
    }

    @Override
    public void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink) {
        ShownBlock kept = shown.take(hash);
        StreamBlock known = kept == null ? null : header.read(kept.text());
        RpcCall call = known == null ? ids.call(new BlockSelector.Hash(hash, false)) : null;
        if (call == null) {
            sink.accept(known);
            return;
        }
        meters.fetched(Fetch.HEADER);
        calls.ask(
                call,
                number,
                result -> sink.accept(result == null || isWrong(result, hash) ? null : header.read(result)));
    }

    private boolean isWrong(RawJson block, String hash) {
        return rules != null && AnswerProof.check(AnswerKind.BLOCK, block, hash, rules) instanceof Verification.Wrong;
    }

    /**
     * Requests a block that a client names.
     *
     * @param unknown the error if no node has it
     * @param sink receives the block, or a refusal
     */
    void find(
            BlockSelector block,
            SubscriptionForm.Refusal unknown,
            BiConsumer<@Nullable StreamBlock, RpcReply.@Nullable Failure> sink) {
        RpcCall call = ids.call(block);
        if (call == null) {
            sink.accept(null, SubscriptionDialect.failure(unknown));
            return;
        }
        meters.fetched(Fetch.HEADER);
        calls.reply(call, reply -> {
            StreamBlock found = reply instanceof RpcReply.Result result ? header.read(result.value()) : null;
            boolean failed =
                    reply instanceof RpcReply.Failure failure && failure.error().code() != unknown.code();
            if (failed) {
                sink.accept(null, (RpcReply.Failure) reply);
            } else {
                sink.accept(found, found == null ? SubscriptionDialect.failure(unknown) : null);
            }
        });
    }

    /** Form in which blocks are told: which members a header takes over from a node's block, in their order. Immutable and thread-safe. */
    static final class HeaderForm {

        private static final String BLOOM = HeaderField.LOGS_BLOOM.jsonName();
        private static final int BLOOM_DIGITS = 512;

        private final BlockIds ids;
        private final List<String> names;
        private final NameTable read;

        /** @param names the members of a header, in their order */
        HeaderForm(BlockIds ids, List<String> names) {
            this.ids = ids;
            this.names = List.copyOf(names);
            BlockForm.Members its = ids.form().members();
            this.read =
                    NameTable.of(Stream.concat(names.stream(), Stream.of(its.number(), its.hash(), its.parentHash()))
                            .distinct()
                            .toList());
        }

        /** Reads a block; null if it is no block with a number, a hash and a parent. */
        @Nullable
        StreamBlock read(RawJson block) {
            if (block.first() != '{') {
                return null;
            }
            try {
                Map<String, RawJson> members = members(block);
                BlockForm.Members its = ids.form().members();
                long number = ids.number(members.getOrDefault(its.number(), RawJson.NULL));
                String hash = ids.exactHash(members.getOrDefault(its.hash(), RawJson.NULL));
                String parentHash = ids.exactHash(members.getOrDefault(its.parentHash(), RawJson.NULL));
                return number < 0 || hash.isEmpty() || parentHash.isEmpty()
                        ? null
                        : block(new BlockLink(number, hash, parentHash), members);
            } catch (JsonSyntaxException e) {
                return null;
            }
        }

        private Map<String, RawJson> members(RawJson block) throws JsonSyntaxException {
            Map<String, RawJson> members = new HashMap<>();
            JsonScanner scanner = JsonScanner.delimiters(block.array(), block.offset(), block.length());
            boolean more = scanner.enter();
            while (more) {
                String name = scanner.knownMember(read);
                int start = scanner.position();
                scanner.skip();
                RawJson value = RawJson.slice(block.array(), start, scanner.position() - start);
                if (name != null && members.putIfAbsent(name, value) != null) {
                    // Readers would take different ones.
                    return Map.of();
                }
                more = scanner.nextEntry();
            }
            return members;
        }

        /** Returns the block with its header, which leaves out members that are null. */
        private StreamBlock block(BlockLink link, Map<String, RawJson> members) {
            ByteArrayOutputStream text = new ByteArrayOutputStream(1_536);
            int bloom = -1;
            text.write('{');
            for (String name : names) {
                RawJson value = members.get(name);
                if (value == null || value.first() == 'n') {
                    continue;
                }
                text.writeBytes(((text.size() == 1 ? "\"" : ",\"") + name + "\":").getBytes(UTF_8));
                bloom = name.equals(BLOOM) && isBloom(value) ? text.size() : bloom;
                text.write(value.array(), value.offset(), value.length());
            }
            text.write('}');
            return new StreamBlock(link, RawJson.of(text.toByteArray()), bloom);
        }

        private static boolean isBloom(RawJson value) {
            HexText hex = HexText.read(value);
            return hex != null && hex.digits() == BLOOM_DIGITS && value.length() == BLOOM_DIGITS + 4;
        }
    }

    /**
     * The proxy's own calls for a stream, answered from the cache or by any node. Confined to the event loop of the stream.
     *
     * @param calls makes the calls
     */
    record StreamCalls(NetworkId network, EventLoop loop, Stage calls) {

        private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(5);

        /**
         * Makes a call about a block.
         *
         * @param number of the block, which the node must have
         * @param sink receives the result once, on the event loop; null if there is none
         */
        void ask(RpcCall call, long number, Consumer<@Nullable RawJson> sink) {
            CallContext context = context(call);
            context.setRoute(context.route().toBlock(number, true));
            pass(
                    context,
                    reply -> sink.accept(
                            reply instanceof RpcReply.Result result
                                            && !result.value().equals(RawJson.NULL)
                                    ? result.value()
                                    : null));
        }

        /** Makes a call about no block that the proxy knows. The sink receives the reply once, on the event loop. */
        void reply(RpcCall call, Consumer<RpcReply> sink) {
            pass(context(call), sink);
        }

        private CallContext context(RpcCall call) {
            long now = System.nanoTime();
            CallContext context = new CallContext(call, CallCause.FOLLOWER, network, loop, now, now + CALL_NANOS);
            context.setRoute(Route.ALONE);
            return context;
        }

        private void pass(CallContext context, Consumer<RpcReply> sink) {
            new CallGuard(context, sink::accept).pass(calls);
        }
    }
}
