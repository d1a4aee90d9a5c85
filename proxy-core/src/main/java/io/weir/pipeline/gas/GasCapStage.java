package io.weir.pipeline.gas;

import com.codahale.metrics.Counter;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.CallObject;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * Cuts the gas that a call asks for to so many times the head block's gas limit. A call that is below the bound that was known
 * last goes on at once; only one that is above waits until the bound is known anew. Where it cannot be known, the gas stays:
 * nodes have bounds of their own. Thread-safe.
 */
public final class GasCapStage implements Stage {

    /** No chain's blocks have less (the Yellow Paper's least gas limit). */
    private static final long LEAST_LIMIT = 5000;

    private final HeadGasLimit head;
    private final long factor;
    private final Counter cuts;
    private final Stage next;

    /** Makes the stage of a method with a call object. */
    public GasCapStage(HeadGasLimit head, long factor, Counter cuts, Stage next) {
        this.head = head;
        this.factor = factor;
        this.cuts = cuts;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        RawJson call = params == null ? null : params.callObject();
        Long gas = call == null ? null : CallObject.gas(call);
        if (params == null || call == null || gas == null || fits(gas, LEAST_LIMIT)) {
            next.handle(context, sink);
        } else if (fits(gas, head.last())) {
            if (!head.isFresh()) {
                head.refresh(context.loop(), () -> {});
            }
            next.handle(context, sink);
        } else if (head.isFresh()) {
            cut(context, params, call, gas);
            next.handle(context, sink);
        } else {
            head.refresh(context.loop(), () -> {
                cut(context, params, call, gas);
                next.handle(context, sink);
            });
        }
    }

    private void cut(CallContext context, CheckedParams params, RawJson call, long gas) {
        long limit = head.last();
        if (limit != 0 && !fits(gas, limit)) {
            context.checked(params.withCallObject(CallObject.withGas(call, bound(limit))));
            cuts.inc();
        }
    }

    private boolean fits(long gas, long limit) {
        return Long.compareUnsigned(gas, bound(limit)) <= 0;
    }

    /** Unsigned; development nodes have limits that leave no room for a factor. */
    private long bound(long limit) {
        return Math.multiplyHigh(factor, limit) != 0 || limit < 0 ? -1L : factor * limit;
    }
}
