package io.weir.subscription;

import io.weir.api.SubscriptionForm;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.AnswerKind;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import io.weir.subscription.stream.HeaderForm;
import io.weir.subscription.stream.StreamBlock;
import io.weir.subscription.stream.StreamSource;
import io.weir.upstream.ShownBlock;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Blocks for the stream. A block that a node showed lately is taken from memory. The others come by the proxy's own calls: from the cache
 * or from any node. If the network verifies, these are compared with their hash here. Confined to the event loop of the stream.
 */
final class StreamBlocks implements StreamSource {

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
    void find(BlockSelector block, SubscriptionForm.Refusal unknown, BlockReplays.Found sink) {
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
}
