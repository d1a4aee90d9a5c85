package io.weir.pipeline.send;

import io.weir.config.NetworkConfig;
import io.weir.ethereum.Hex;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.send.SendMeters.Outcome;
import io.weir.upstream.UpstreamPool;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends signed transactions. One whose hash can be told may be sent to any number of nodes, and is sent once where several
 * calls bring it at the same time; one that cannot be read goes to a node as a call like any other, and not twice. Thread-safe.
 */
public final class SendStage implements Stage {

    private final Parts parts;
    private final Stage opaque;
    /** As many as calls in flight at the most. */
    private final ConcurrentMap<SentTransaction, PendingSend> flights = new ConcurrentHashMap<>();

    /** What a transaction on its way needs. */
    record Parts(UpstreamPool pool, Forwarding forwarding, int broadcast, SendMeters meters) {}

    /** Makes the stage for a network. */
    public SendStage(NetworkConfig config, UpstreamPool pool, Forwarding forwarding, Meters meters) {
        this.parts =
                new Parts(pool, forwarding, config.transactions().broadcast(), new SendMeters(meters, config.name()));
        this.opaque = forwarding.over(pool, false);
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        FirstParam param = FirstParam.of(context.call().params());
        byte[] bytes = bytes(param);
        if (bytes == null) {
            sink.accept(FirstParam.refusal(param, "a signed transaction in hex"));
            return;
        }
        SentTransaction transaction = SentTransaction.read(bytes);
        if (transaction == null) {
            parts.meters().count(Outcome.OPAQUE);
            opaque.handle(context, sink);
        } else {
            send(transaction, context, sink);
        }
    }

    private void send(SentTransaction transaction, CallContext context, ReplySink sink) {
        PendingSend flight = new PendingSend(context.deadlineNanos());
        PendingSend before = flights.putIfAbsent(transaction, flight);
        if (before != null) {
            if (before.join(context, sink)) {
                parts.meters().count(Outcome.JOINED);
            } else {
                new Sending(parts, transaction, context, sink).begin();
            }
            return;
        }
        ReplySink landing = reply -> {
            flights.remove(transaction, flight);
            flight.land(reply, context.trace(), this);
            sink.accept(reply);
        };
        new CallGuard(context, landing)
                .pass((guarded, sending) -> new Sending(parts, transaction, guarded, sending).begin());
    }

    private static byte @Nullable [] bytes(@Nullable FirstParam param) {
        String text = param == null ? null : param.string();
        try {
            return text == null ? null : Hex.decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
