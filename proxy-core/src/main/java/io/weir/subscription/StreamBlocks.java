package io.weir.subscription;

import io.weir.api.SubscriptionForm;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.AnswerKind;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import io.weir.subscription.stream.HeaderForm;
import io.weir.subscription.stream.StreamBlock;
import io.weir.subscription.stream.StreamSource;
import io.weir.upstream.ShownBlock;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Blocks for the stream. A block that a node has shown as its newest, or that was asked for by its number, is taken from memory. The
 * others come by the proxy's own calls: from the cache or from any node. If the network verifies, each block is compared with its hash.
 * Confined to the event loop of the stream, except for {@link #show}.
 */
final class StreamBlocks implements StreamSource {

    private static final int MAX_BLOCKS = 8;

    /** Longer texts are not kept. They are of blocks with more than ten thousand transactions. */
    private static final int MAX_BYTES = 1 << 20;

    private final StreamCalls calls;
    private final Function<BlockSelector, @Nullable RpcCall> form;
    private final HeaderForm header;
    private final @Nullable ChainRules rules;
    private final boolean keepsNumbered;
    private final SubscriptionMeters meters;
    /** Texts of blocks that are not told yet, by their hashes, the oldest first. Guarded by itself. */
    private final Map<String, Known> byHash = new LinkedHashMap<>();

    /** Text of a block, of which only its reader finds out whether it is right. Immutable. */
    private record Known(RawJson text, AnswerKind kind) {}

    /**
     * @param form makes the call for a block; null if there is none
     * @param rules by which each block is compared with its hash; null if it is taken as it is
     * @param keepsNumbered whether a block that was asked for by its number is wanted by its hash next, because the head is found so
     */
    private StreamBlocks(
            StreamCalls calls,
            Function<BlockSelector, @Nullable RpcCall> form,
            HeaderForm header,
            @Nullable ChainRules rules,
            boolean keepsNumbered,
            SubscriptionMeters meters) {
        this.calls = calls;
        this.form = form;
        this.header = header;
        this.rules = rules;
        this.keepsNumbered = keepsNumbered;
        this.meters = meters;
    }

    /** Returns those of an Ethereum network. */
    static StreamBlocks ethereum(NetworkConfig network, StreamCalls calls, SubscriptionMeters meters) {
        ChainRules rules = network.verifies() ? ChainRules.of(network) : null;
        return new StreamBlocks(calls, StreamBlocks::ethereum, HeaderForm.ETHEREUM, rules, false, meters);
    }

    private static @Nullable RpcCall ethereum(BlockSelector block) {
        if (block instanceof BlockSelector.Hash exact) {
            return ChainCalls.blockByHash(exact.hash(), false);
        }
        return block instanceof BlockSelector.Height at ? ChainCalls.blockByNumber(at.number()) : null;
    }

    /** Returns those of a network of a plugin's kind. */
    static StreamBlocks ofKind(BlockIds ids, SubscriptionForm form, StreamCalls calls, SubscriptionMeters meters) {
        HeaderForm header = HeaderForm.of(ids.form().members(), form.heads().members());
        return new StreamBlocks(calls, ids::call, header, null, true, meters);
    }

    /** Keeps a block that a node shows as its newest, which nothing proves. The first text of a block stays. Thread-safe. */
    void show(ShownBlock block) {
        keep(block.link().hash(), new Known(block.text(), block.kind()));
    }

    private void keep(String hash, Known block) {
        synchronized (byHash) {
            if (block.text().length() <= MAX_BYTES) {
                byHash.putIfAbsent(hash, block);
            }
            if (byHash.size() > MAX_BLOCKS) {
                byHash.remove(byHash.keySet().iterator().next());
            }
        }
    }

    /** Forgets the blocks that are not told yet. */
    void forget() {
        synchronized (byHash) {
            byHash.clear();
        }
    }

    @Override
    public void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink) {
        Known kept;
        synchronized (byHash) {
            kept = byHash.remove(hash);
        }
        StreamBlock known = kept == null ? null : read(kept, hash);
        if (known == null) {
            ask(new BlockSelector.Hash(hash, false), hash, number, sink);
        } else {
            sink.accept(known);
        }
    }

    @Override
    public void fetchAt(long number, Consumer<@Nullable StreamBlock> sink) {
        ask(new BlockSelector.Height(number), null, number, sink);
    }

    private void ask(BlockSelector block, @Nullable String hash, long number, Consumer<@Nullable StreamBlock> sink) {
        RpcCall call = form.apply(block);
        if (call == null) {
            sink.accept(null);
            return;
        }
        meters.fetched(Fetch.HEADER);
        calls.ask(call, number, result -> {
            Known answer = result == null ? null : new Known(result, AnswerKind.BLOCK);
            StreamBlock read = answer == null ? null : read(answer, hash);
            if (keepsNumbered && answer != null && read != null && hash == null) {
                keep(read.link().hash(), answer);
            }
            sink.accept(read);
        });
    }

    private @Nullable StreamBlock read(Known block, @Nullable String hash) {
        StreamBlock read = header.read(block.text());
        return read != null && isRight(block.text(), block.kind(), hash) ? read : null;
    }

    /** An announced header may lack members, so that it counts only if its hash proves it. */
    private boolean isRight(RawJson text, AnswerKind kind, @Nullable String hash) {
        if (rules == null) {
            return kind == AnswerKind.BLOCK;
        }
        Verification<?> verification = AnswerProof.check(kind, text, hash, rules);
        return kind == AnswerKind.BLOCK ? !(verification instanceof Verification.Wrong) : verification.value() != null;
    }

    /**
     * Requests a block that a client names.
     *
     * @param unknown the error if no node has it
     * @param sink receives the block, or a refusal
     */
    void find(BlockSelector block, SubscriptionForm.Refusal unknown, BlockReplays.Found sink) {
        RpcCall call = form.apply(block);
        if (call == null) {
            sink.accept(null, KindDialect.failure(unknown));
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
                sink.accept(found, found == null ? KindDialect.failure(unknown) : null);
            }
        });
    }
}
