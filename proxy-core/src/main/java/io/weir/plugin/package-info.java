/**
 * The plugins of one configuration: their life cycle, what the host gives to each and takes away again, and what they offer.
 * Below it, {@code load} finds plugins and loads their classes, and {@code call} carries calls into their code and out again.
 * Start at {@link io.weir.plugin.PluginHost}.
 */
@NullMarked
package io.weir.plugin;

import org.jspecify.annotations.NullMarked;
