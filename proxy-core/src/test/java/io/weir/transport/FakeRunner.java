package io.weir.transport;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.RequestRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs bodies by methods that a test gives it; every other method is not found. Thread-safe. */
final class FakeRunner implements RequestRunner {

    /** Answers a call, now or later, on the call's event loop. */
    interface Method {
        void answer(CallContext context, ReplySink sink);
    }

    /** The answers of a test to whole bodies. */
    interface Whole {
        RequestAnswer answer(RequestBody body);
    }

    private final NetworkId network;
    private final Map<String, Method> methods = new ConcurrentHashMap<>();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Whole whole;

    FakeRunner(String network) {
        this.network = new NetworkId(network);
        on("echo", call -> call.params() == null ? RawJson.NULL : call.params());
        on("network", call -> RawJson.of("\"" + network + "\""));
    }

    FakeRunner on(String name, Method method) {
        methods.put(name, method);
        return this;
    }

    FakeRunner on(String name, java.util.function.Function<RpcCall, RawJson> result) {
        return on(name, (context, sink) -> sink.accept(new RpcReply.Result(result.apply(context.call()))));
    }

    /** Answers every body so, whatever it holds. */
    void answerAll(Whole answer) {
        whole = answer;
    }

    /** How many calls reached it. */
    int calls() {
        return calls.get();
    }

    @Override
    public void run(RequestBody body, Caller caller, EventLoop loop, AnswerSink sink) {
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("thread: " + Thread.currentThread() + " (expected: the event loop)");
        }
        if (whole != null) {
            calls.incrementAndGet();
            sink.accept(whole.answer(body));
        } else if (body instanceof RequestItem item) {
            single(item, caller, loop, sink);
        } else if (body instanceof RequestBody.Batch batch) {
            batch(batch.items(), caller, loop, sink);
        }
    }

    private void single(RequestItem item, Caller caller, EventLoop loop, AnswerSink sink) {
        if (item instanceof RequestItem.Invalid invalid) {
            sink.accept(new RequestAnswer.One(invalid.id(), RpcReply.failure(invalid.error()), null));
        } else if (item instanceof RpcCall call) {
            CallContext context = context(call, caller, loop, sink);
            start(
                    context,
                    reply -> sink.accept(
                            call.isNotification()
                                    ? new RequestAnswer.Nothing()
                                    : new RequestAnswer.One(call.id(), reply, context)));
        }
    }

    private void batch(List<RequestItem> items, Caller caller, EventLoop loop, AnswerSink sink) {
        List<RawJson> ids = new ArrayList<>();
        List<RpcReply> replies = new ArrayList<>();
        int[] open = {items.size()};
        for (RequestItem item : items) {
            int place = ids.size();
            boolean silent = item instanceof RpcCall call && call.isNotification();
            if (!silent) {
                ids.add(item instanceof RpcCall call ? call.id() : ((RequestItem.Invalid) item).id());
                replies.add(null);
            }
            ReplySink part = reply -> {
                if (!silent) {
                    replies.set(place, reply);
                    sink.keep(reply);
                }
                if (--open[0] == 0) {
                    sink.accept(ids.isEmpty() ? new RequestAnswer.Nothing() : new RequestAnswer.Many(ids, replies));
                }
            };
            if (item instanceof RequestItem.Invalid invalid) {
                part.accept(RpcReply.failure(invalid.error()));
            } else {
                start(context((RpcCall) item, caller, loop, sink), part);
            }
        }
    }

    private void start(CallContext context, ReplySink sink) {
        calls.incrementAndGet();
        Method method = methods.get(context.call().method());
        if (method == null) {
            sink.accept(RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error()));
        } else {
            method.answer(context, sink);
        }
    }

    private CallContext context(RpcCall call, Caller caller, EventLoop loop, AnswerSink sink) {
        long now = System.nanoTime();
        return new CallContext(call, caller, network, loop, now, now + TimeUnit.SECONDS.toNanos(30), sink);
    }
}
