/**
 * Start and end of the program: the assembly of a configuration and its plugins, their problems, and the running proxy.
 * Start at {@link io.weir.app.start.Startup}.
 */
@NullMarked
package io.weir.app.start;

import org.jspecify.annotations.NullMarked;
