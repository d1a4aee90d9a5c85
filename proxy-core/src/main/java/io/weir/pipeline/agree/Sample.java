package io.weir.pipeline.agree;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.MethodFacts;
import io.weir.pipeline.agree.Sampler.Outcome;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One sample of a result. Confined to its event loop. */
final class Sample {

    private final Sampler sampler;
    private final MethodFacts facts;
    private final RpcCall call;
    private final long number;
    private final NodeResult first;
    private final EventLoop loop;
    private final End end;

    /** Receiver of the end of a sample. */
    @FunctionalInterface
    interface End {

        /** Takes the result that may be stored; null if none may. */
        void ended(Outcome outcome, @Nullable NodeResult result);
    }

    Sample(Sampler sampler, MethodFacts facts, RpcCall call, long number, NodeResult first, EventLoop loop, End end) {
        this.sampler = sampler;
        this.facts = facts;
        this.call = call;
        this.number = number;
        this.first = first;
        this.loop = loop;
        this.end = end;
    }

    void run() {
        sampler.ask(call, number, loop, Set.of(first.upstreamId()), this::compare);
    }

    private void compare(@Nullable NodeResult second) {
        if (second == null) {
            end.ended(Outcome.SKIPPED, first);
        } else if (areEqual(first, second)) {
            end.ended(Outcome.EQUAL, first);
        } else {
            Set<String> besides = Set.of(first.upstreamId(), second.upstreamId());
            sampler.ask(call, number, loop, besides, third -> decide(second, third));
        }
    }

    private void decide(NodeResult second, @Nullable NodeResult third) {
        if (third != null && areEqual(third, first)) {
            end(first, second);
        } else if (third != null && areEqual(third, second)) {
            end(second, first);
        } else {
            end.ended(Outcome.UNDECIDED, null);
        }
    }

    private void end(NodeResult right, NodeResult odd) {
        // Each must be done even if the other fails.
        try {
            end.ended(Outcome.DIFFERENT, right);
        } finally {
            sampler.charge(odd, right.value(), facts, number);
        }
    }

    private boolean areEqual(NodeResult one, NodeResult other) {
        return CommonForm.of(facts, one.value(), Set.of()).equals(CommonForm.of(facts, other.value(), Set.of()));
    }
}
