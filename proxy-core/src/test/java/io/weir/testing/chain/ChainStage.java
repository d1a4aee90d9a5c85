package io.weir.testing.chain;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A chain's only node, as the last stage of calls' way. It may hold answers back, each found out either when it was asked or when
 * it is given. Confined to one thread.
 */
public final class ChainStage implements Stage {

    private final TestChain chain;
    private final Random random;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean holding;
    private String upstream = "node0";

    /** @param random says which of the answers that are held back are old when they are given */
    public ChainStage(TestChain chain, Random random) {
        this.chain = chain;
        this.random = random;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        String method = context.call().method();
        counts.merge(method, 1, Integer::sum);
        context.trace().markForwarded();
        ChainState asked = chain.state();
        boolean old = random.nextBoolean() && holding;
        Runnable answer = () -> answer(old ? asked : chain.state(), method, context, sink);
        if (holding) {
            held.add(answer);
        } else {
            answer.run();
        }
    }

    private void answer(ChainState state, String method, CallContext context, ReplySink sink) {
        ChainAnswer answer =
                ChainAnswers.answer(state, method, String.valueOf(context.call().params()));
        context.trace().answeredBy(upstream, 1);
        if (answer.failed()) {
            context.trace().lackedData(answer.text().contains("header not found"));
        }
        sink.accept(reply(answer));
    }

    private static RpcReply reply(ChainAnswer answer) {
        return answer.failed()
                ? RpcReply.failure(new RpcError(answer.code(), answer.text(), null))
                : new RpcReply.Result(RawJson.of(answer.text()));
    }

    /** Begins to hold answers back. */
    public void hold() {
        holding = true;
    }

    /** Whether answers are held back, or were and are not all given. */
    public boolean isHolding() {
        return holding || !held.isEmpty();
    }

    /** How many answers are held back. */
    public int held() {
        return held.size();
    }

    /** Gives one of the answers that are held back. */
    public void release(int index) {
        held.remove(index).run();
    }

    /** Gives all answers from now on. */
    public void releaseAll() {
        holding = false;
        while (!held.isEmpty()) {
            release(random.nextInt(held.size()));
        }
    }

    /** Says which of the upstreams this is from now on. */
    public void upstream(String id) {
        upstream = id;
    }

    /** How often each method was called so far. */
    public Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    /** How many calls there were so far. */
    public int calls() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
