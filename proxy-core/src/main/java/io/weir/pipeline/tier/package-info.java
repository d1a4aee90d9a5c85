/**
 * The tiers behind memory, as one network uses them: offers results to them, asks them for results, and compares their contents with
 * the network's chain. Start at {@link io.weir.pipeline.tier.NetworkTiers}.
 */
@NullMarked
package io.weir.pipeline.tier;

import org.jspecify.annotations.NullMarked;
