package io.weir.pipeline.cache;

import io.weir.access.BypassingCaller;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.ResultStream;
import java.util.Objects;
import java.util.Set;

/**
 * Stage that answers calls of one method on a network of a plugin's kind from memory, and stores its results of final blocks.
 * Thread-safe.
 *
 * <ul>
 *   <li>An answer with a status is stored if that says that its block is final, and that block is known to be final. If several nodes
 *       serve the network and the call names the block by its number, another node must name the same block.
 *   <li>Any other answer is stored if the call names its block by a number, and that block is known to be final.
 * </ul>
 */
final class KindCacheStage implements Stage {

    private final KindCache cache;
    private final BlockIds blocks;
    private final boolean byStatus;
    private final Stage next;

    KindCacheStage(KindCache cache, BlockIds blocks, boolean byStatus, Stage next) {
        this.cache = cache;
        this.blocks = blocks;
        this.byStatus = byStatus;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (params == null || context.caller() instanceof BypassingCaller) {
            context.trace().markBypassed();
            next.handle(context, sink);
            return;
        }
        CallKey key = cache.key(context.call().method(), params.json());
        CachedResult stored = cache.get(key);
        if (stored == null) {
            context.trace().markMiss();
            if (byStatus) {
                context.needsWhole();
            }
            long purges = cache.memory().store().purges();
            next.handle(context, reply -> {
                ResultStream stream = reply instanceof RpcReply.Streamed ? context.stream() : null;
                if (stream != null) {
                    collect(context, params, key, stream, purges);
                }
                sink.accept(reply);
                if (reply instanceof RpcReply.Result result) {
                    take(context, params, key, result.value(), purges);
                }
            });
        } else if (cache.memory().hasRoom(stored.reply())) {
            context.trace().markHit("");
            sink.accept(stored.reply());
        } else {
            sink.accept(RpcReply.NO_ROOM);
        }
    }

    /** Takes a result that goes on while it arrives, once it was collected. */
    private void collect(CallContext context, CheckedParams params, CallKey key, ResultStream stream, long purges) {
        stream.copyTo(cache.memory().store().maxEntryBytes(), value -> {
            if (value != null) {
                context.step(() -> take(context, params, key, value, purges));
            }
        });
    }

    private void take(CallContext context, CheckedParams params, CallKey key, RawJson value, long purges) {
        String upstream = context.trace().upstreamId();
        // Of equal calls the one that led them stores the result.
        if (upstream == null || context.trace().collapsed() || context.trace().degraded()) {
            return;
        }
        if (byStatus) {
            long number = blocks.finalHeight(value);
            if (number < 0) {
                cache.refuse(Keeping.UNFIT);
                return;
            }
            cache.named(upstream, number);
            boolean byNumber = params.block() instanceof BlockSelector.Height;
            cache.whenFinal(context.loop(), number, () -> {
                if (byNumber && !cache.isAlone()) {
                    compare(context, key, value, number, upstream, purges);
                } else {
                    cache.put(key, value, number, upstream, purges);
                }
            });
        } else if (params.block() instanceof BlockSelector.Height height && !value.equals(RawJson.NULL)) {
            long number = height.number();
            cache.whenFinal(context.loop(), number, () -> cache.put(key, value, number, upstream, purges));
        }
    }

    /** Stores a block if another node names the same one at its height. */
    private void compare(CallContext context, CallKey key, RawJson value, long number, String upstream, long purges) {
        RawJson place = blocks.place(value);
        if (place == null || !cache.takeCall()) {
            cache.refuse(Keeping.UNANCHORED);
            return;
        }
        RpcCall call = Objects.requireNonNull(blocks.call(new BlockSelector.Height(number)));
        CallContext asked = context.aside(call);
        asked.needsBlock(number, true);
        new CallGuard(asked, reply -> {
                    RawJson other = reply instanceof RpcReply.Result result
                                    && result.value().first() == '{'
                            ? blocks.place(result.value())
                            : null;
                    boolean same = other != null
                            && place.equals(other)
                            && !upstream.equals(asked.trace().upstreamId());
                    if (same) {
                        cache.put(key, value, number, upstream, purges);
                    } else {
                        cache.refuse(Keeping.UNANCHORED);
                    }
                })
                .pass(cache.nodes().without().apply(Set.of(upstream)));
    }
}
