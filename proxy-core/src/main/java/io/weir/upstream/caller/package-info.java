/**
 * Text that a caller wrote into its call and that a node repeats in an error. Pure: the package knows nothing of what an error
 * means. Start at {@link io.weir.upstream.caller.CallerText}.
 */
@NullMarked
package io.weir.upstream.caller;

import org.jspecify.annotations.NullMarked;
