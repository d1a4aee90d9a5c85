/**
 * The ways that calls take: the stages, which of them a method's calls pass, the attempts at upstreams, and the joining of
 * batches. Start at {@link io.weir.pipeline.plan.MethodPlans}, which lists them all.
 */
@NullMarked
package io.weir.pipeline.plan;

import org.jspecify.annotations.NullMarked;
