/**
 * The program: its commands, and the wiring of all other packages by constructors. Start at {@link io.weir.app.Main},
 * then {@link io.weir.app.start.Proxy}.
 */
@NullMarked
package io.weir.app;

import org.jspecify.annotations.NullMarked;
