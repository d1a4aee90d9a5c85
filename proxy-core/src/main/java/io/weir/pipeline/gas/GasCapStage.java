package io.weir.pipeline.gas;

import com.codahale.metrics.Counter;
import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.CallObject;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * Stage that limits the gas of a call to a multiple of the head block's gas limit. A call below the last known bound
 * continues at once; only one above it waits for the present bound. If that is not available, the gas stays, because nodes
 * have their own bounds. Thread-safe.
 */
public record GasCapStage(HeadGasLimit head, long factor, Counter cuts, Stage next) implements Stage {

    /** Minimum gas limit of any chain's blocks, from the Yellow Paper. */
    private static final long MIN_LIMIT = 5000;

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        RawJson call = params == null ? null : params.callObject();
        Long gas = call == null ? null : CallObject.gas(call);
        if (params == null || call == null || gas == null || fits(gas, MIN_LIMIT)) {
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

    /** Returns the bound, unsigned. Development nodes may have limits so high that the multiple overflows. */
    private long bound(long limit) {
        return Math.multiplyHigh(factor, limit) != 0 || limit < 0 ? -1L : factor * limit;
    }

    /** Gas limit of a network's head block, as far as it is known. Thread-safe. */
    public interface HeadGasLimit {

        /** Returns the last known limit, an unsigned number; 0 if there is none yet. */
        long last();

        /** Returns whether nodes were asked for it so recently that they need not be asked again. */
        boolean isFresh();

        /**
         * Asks a node for the limit.
         *
         * @param loop the caller's event loop
         * @param then runs on that loop once, when the limit is known or unavailable; may run before this method returns
         */
        void refresh(EventLoop loop, Runnable then);
    }
}
