package io.weir.pipeline.head;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.NetworkHead;
import java.util.Objects;

/**
 * Stage that answers with the hash and the number of the head to which all calls are held. It asks a node that has the block for it
 * by its number. If no node names a head, the call is forwarded like any other, so that it fails like any other. Thread-safe.
 */
public record HeadBlockStage(NetworkHead head, BlockIds blocks, Stage next) implements Stage {

    private static final RpcReply OTHER_BLOCK = RpcReply.unavailable("the node showed another block than the head");

    @Override
    public void handle(CallContext context, ReplySink sink) {
        handle(context, true, sink);
    }

    private void handle(CallContext context, boolean mayRepeat, ReplySink sink) {
        head.whenFresh(
                context.loop(),
                context.deadlineNanos(),
                number -> context.step(() -> {
                    if (number >= 0) {
                        ask(number, context, mayRepeat, sink);
                    } else {
                        next.handle(context, sink);
                    }
                }));
    }

    private void ask(long number, CallContext context, boolean mayRepeat, ReplySink sink) {
        RpcCall call = Objects.requireNonNull(blocks.call(new BlockSelector.Height(number)));
        CallContext asked = context.with(call);
        asked.setRoute(asked.route().toBlock(number, true));
        next.handle(asked, reply -> {
            if (reply instanceof RpcReply.Result result) {
                sink.accept(place(number, result.value()));
            } else if (mayRepeat && asked.trace().lackedData()) {
                head.missing(number);
                handle(context, false, sink);
            } else {
                sink.accept(reply);
            }
        });
    }

    private RpcReply place(long number, RawJson block) {
        RawJson place = block.first() == '{' && blocks.height(block) == number ? blocks.place(block) : null;
        return place == null ? OTHER_BLOCK : new RpcReply.Result(place);
    }
}
