/**
 * The plugins of one configuration: their life cycle, the resources that each gets from the host, and their offers. The
 * subpackage {@code load} finds plugins and loads their classes, {@code bulkhead} has their threads, and {@code call}
 * carries calls between the host and their code. Start at {@link io.weir.plugin.PluginHost}.
 */
@NullMarked
package io.weir.plugin;

import org.jspecify.annotations.NullMarked;
