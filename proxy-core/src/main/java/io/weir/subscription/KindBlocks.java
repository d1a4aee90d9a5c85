package io.weir.subscription;

import io.weir.api.SubscriptionForm;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.subscription.chain.HeaderSource;
import io.weir.subscription.chain.KindHeader;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of a plugin's kind of network for the stream, by the proxy's own calls. Confined to the event loop of the stream.
 */
final class KindBlocks implements HeaderSource {

    /** Blocks asked for by their number, which the stream then wants by their hash. */
    private static final int MAX_KNOWN = 8;

    private final BlockIds ids;
    private final KindHeader header;
    private final StreamCalls calls;
    private final SubscriptionMeters meters;
    private final Map<String, StreamBlock> known = new LinkedHashMap<>();

    KindBlocks(BlockIds ids, SubscriptionForm form, StreamCalls calls, SubscriptionMeters meters) {
        this.ids = ids;
        this.header = new KindHeader(ids.form().members(), form.heads().members());
        this.calls = calls;
        this.meters = meters;
    }

    @Override
    public void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink) {
        StreamBlock block = known.remove(hash);
        if (block == null) {
            ask(new BlockSelector.Hash(hash, false), number, sink);
        } else {
            sink.accept(block);
        }
    }

    @Override
    public void fetchAt(long number, Consumer<@Nullable StreamBlock> sink) {
        ask(new BlockSelector.Height(number), number, block -> {
            if (block != null) {
                known.put(block.link().hash(), block);
            }
            if (known.size() > MAX_KNOWN) {
                known.remove(known.keySet().iterator().next());
            }
            sink.accept(block);
        });
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

    private void ask(BlockSelector block, long number, Consumer<@Nullable StreamBlock> sink) {
        RpcCall call = ids.call(block);
        if (call == null) {
            sink.accept(null);
            return;
        }
        meters.fetched(Fetch.HEADER);
        calls.ask(call, number, result -> sink.accept(read(result)));
    }

    private @Nullable StreamBlock read(@Nullable RawJson result) {
        return result == null ? null : header.read(result);
    }
}
