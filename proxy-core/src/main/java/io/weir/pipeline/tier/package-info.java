/**
 * The tiers behind memory as one network uses them: what is offered to them and looked for in them, and how a name space is held
 * to the network's chain. Start at {@link io.weir.pipeline.tier.NetworkTiers}.
 */
@NullMarked
package io.weir.pipeline.tier;

import org.jspecify.annotations.NullMarked;
