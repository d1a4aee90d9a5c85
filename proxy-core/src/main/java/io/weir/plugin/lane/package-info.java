/**
 * The threads on which plugins' code runs, parted so that no plugin takes them from the others, and the log of what fails there.
 * Knows nothing of calls. Start at {@link io.weir.plugin.lane.PluginThreads}.
 */
@NullMarked
package io.weir.plugin.lane;

import org.jspecify.annotations.NullMarked;
