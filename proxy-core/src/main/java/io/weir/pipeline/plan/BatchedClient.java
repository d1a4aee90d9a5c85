package io.weir.pipeline.plan;

import io.weir.pipeline.ClientPresence;
import io.weir.pipeline.SessionRequest;
import io.weir.tracing.TraceHeaders;
import java.net.InetAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The client of a batch, as one of its calls knows it. Confined to the event loop of its connection.
 *
 * @param takes whether the client can take a result of the call now that goes on while it arrives
 */
record BatchedClient(ClientPresence client, BooleanSupplier takes) implements ClientPresence {

    @Override
    public void whenClientLeaves(Runnable action) {
        client.whenClientLeaves(action);
    }

    @Override
    public boolean takesStream() {
        return takes.getAsBoolean();
    }

    @Override
    public @Nullable InetAddress clientAddress() {
        return client.clientAddress();
    }

    @Override
    public @Nullable TraceHeaders traceHeaders() {
        return client.traceHeaders();
    }

    @Override
    public @Nullable SessionRequest sessionRequest() {
        return client.sessionRequest();
    }
}
