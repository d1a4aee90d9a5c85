/**
 * Plans of methods: which stages a call passes, the one entry of clients' calls, the attempts at upstreams, and the joining of
 * batches. Start at {@link io.weir.pipeline.plan.MethodPlans}, which composes every plan.
 */
@NullMarked
package io.weir.pipeline.plan;

import org.jspecify.annotations.NullMarked;
