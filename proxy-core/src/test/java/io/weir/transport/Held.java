package io.weir.transport;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A method whose calls are answered only when a test says so, each by its id. Thread-safe. */
final class Held implements FakeRunner.Method {

    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    @Override
    public void answer(CallContext context, ReplySink sink) {
        waiting.put(String.valueOf(context.call().id()), new Waiting(context, sink));
    }

    /** How many calls wait. */
    int count() {
        return waiting.size();
    }

    /** Whether the call of this id waits. */
    boolean isWaiting(String id) {
        return waiting.containsKey(id);
    }

    /** Answers the call of this id with its id. */
    void release(String id) {
        Waiting call = waiting.remove(id);
        call.context.loop().execute(() -> call.sink.accept(new RpcReply.Result(RawJson.of(id))));
    }

    private record Waiting(CallContext context, ReplySink sink) {}
}
