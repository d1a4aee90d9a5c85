/**
 * The plugins of one configuration: found on disk and loaded with isolated classes, their life cycle, the resources that each gets
 * from the host, and their offers. Only this package uses PF4J. The subpackage {@code call} carries calls between the host and their
 * code. Start at {@link io.weir.plugin.PluginHost}.
 */
@NullMarked
package io.weir.plugin;

import org.jspecify.annotations.NullMarked;
