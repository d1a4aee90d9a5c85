/**
 * Bringing the program up and down: what a configuration and its plugins make together, what is wrong with them, and the running
 * proxy. Start at {@link io.weir.app.start.Startup}.
 */
@NullMarked
package io.weir.app.start;

import org.jspecify.annotations.NullMarked;
