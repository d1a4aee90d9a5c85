package io.weir.pipeline.send;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockIds;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.CallCause;
import io.weir.upstream.NetworkHead;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Stage that sends a signed transaction and answers with its receipt (EIP-7966). The transaction is sent once, as
 * {@code eth_sendRawTransaction} sends it. Each new block, the receipt is looked for by a call of the proxy's own, which is verified like
 * any other. Thread-safe.
 *
 * @param sends sends the transaction
 * @param calls makes the proxy's own calls
 */
public record SendSyncStage(Stage sends, Stage calls, NetworkHead head) implements Stage {

    /** Time for the receipt if the call names none, as with geth. */
    private static final long USUAL_MILLIS = 20_000;

    /** Time that is kept back, so that the error comes before the call's own time is over. */
    private static final long RESERVE_MILLIS = 250;

    private static final long PAUSE_MILLIS = 100;

    /** Looks for a new block after which the receipt is asked for although no new block was seen. */
    private static final int MAX_LOOKS = 10;

    /** Characters of a hash in quotes. */
    private static final int HASH_LENGTH = 68;

    @Override
    public void handle(CallContext context, ReplySink sink) {
        List<RawJson> values = Objects.requireNonNull(context.checkedParams()).values();
        RawJson sent = RawJson.of("[" + values.get(0) + "]");
        long millis = millis(values.size() > 1 ? values.get(1) : RawJson.NULL, context);
        sends.handle(context.with(new RpcCall(context.call().id(), ChainCalls.SEND_RAW, sent)), reply -> {
            if (reply instanceof RpcReply.Result hash && hash.value().length() == HASH_LENGTH) {
                new Waiting(context, hash.value(), millis, sink).look();
            } else {
                sink.accept(reply);
            }
        });
    }

    /** Returns the time to wait: what the call names if it is a number above 0, and no more than is left of the call's own time. */
    private static long millis(RawJson named, CallContext context) {
        long left = context.millisLeft(System.nanoTime()) - RESERVE_MILLIS;
        long wanted = number(named);
        return Math.max(1, Math.min(left, wanted > 0 ? wanted : USUAL_MILLIS));
    }

    private static long number(RawJson named) {
        HexText hex = HexText.read(named);
        return hex == null ? BlockIds.decimal(named) : hex.digits() > 8 ? Long.MAX_VALUE : hex.toLong();
    }

    /** Call that waits for the receipt of its transaction. Confined to the call's event loop. */
    private final class Waiting {

        private final CallContext context;
        /** With its quotes. */
        private final RawJson hash;

        private final long millis;
        private final long endNanos;
        private final ReplySink sink;
        private long seen;
        private int looks;

        Waiting(CallContext context, RawJson hash, long millis, ReplySink sink) {
            this.context = context;
            this.hash = hash;
            this.millis = millis;
            this.endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            this.sink = sink;
        }

        void look() {
            seen = head.tracker().number();
            looks = 0;
            String text = hash.toString();
            RpcCall call = ChainCalls.receipt(text.substring(1, text.length() - 1));
            CallContext own = context.aside(call, CallCause.FOLLOWER);
            own.moveDeadline(Math.min(endNanos, own.deadlineNanos()));
            calls.handle(own, reply -> {
                if (reply instanceof RpcReply.Result found && found.value().first() == '{') {
                    context.trace().askedAs(own.trace());
                    context.trace().markVerified(own.trace().verified());
                    sink.accept(reply);
                } else {
                    pause();
                }
            });
        }

        private void pause() {
            long left = endNanos - System.nanoTime();
            if (context.isClientGone()) {
                sink.accept(RpcReply.CLIENT_GONE);
            } else if (left <= 0) {
                sink.accept(RpcReply.failure(ErrorCode.NOT_MINED_IN_TIME
                        .error("The transaction was added to the mempool but wasn't processed in " + millis + "ms.")
                        .withData(hash)));
            } else {
                long wait = Math.min(left, TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
                context.loop().schedule(() -> context.step(this::awaitBlock), wait, TimeUnit.NANOSECONDS);
            }
        }

        private void awaitBlock() {
            looks++;
            head.whenFresh(
                    context.loop(),
                    endNanos,
                    number -> context.step(() -> {
                        if (number > seen || looks >= MAX_LOOKS || endNanos - System.nanoTime() <= 0) {
                            look();
                        } else {
                            pause();
                        }
                    }));
        }
    }
}
