package io.weir.network;

import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.plan.MethodPlans;
import org.jspecify.annotations.Nullable;

/** The plans of one network for the proxy's own calls, given to parts that exist before the plans. Thread-safe. */
final class InternalPlans implements Stage {

    private volatile @Nullable MethodPlans plans;

    /** Sets the plans. */
    void follow(MethodPlans made) {
        plans = made;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        MethodPlans made = plans;
        if (made == null) {
            throw new IllegalStateException("plans: none (expected: made before the first call)");
        }
        made.plan(context.call().method()).handleInternal(context, sink);
    }
}
