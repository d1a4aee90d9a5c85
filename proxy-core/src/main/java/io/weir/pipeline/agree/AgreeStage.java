package io.weir.pipeline.agree;

import io.weir.method.MethodFacts;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Stage that sends a call to several nodes at once, and answers once enough of their answers are equal. Calls about pending blocks go
 * to one node, because each node has its own. Thread-safe.
 */
final class AgreeStage implements Stage {

    private final Agreements agreements;
    private final MethodFacts facts;
    private final Stage next;

    AgreeStage(Agreements agreements, MethodFacts facts, Stage next) {
        this.agreements = agreements;
        this.facts = facts;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        if (isPending(context.checkedParams())) {
            next.handle(context, sink);
            return;
        }
        context.needsWhole();
        AgreedCall agreed = new AgreedCall(agreements, facts, context, sink);
        agreements.nodes().picking().whenProbed(context, agreed::begin);
    }

    private static boolean isPending(@Nullable CheckedParams params) {
        return params != null && params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.PENDING;
    }
}
