/**
 * Agreement of several nodes on the answer to a call. Start at {@link io.weir.pipeline.agree.Agreements}.
 */
@NullMarked
package io.weir.pipeline.agree;

import org.jspecify.annotations.NullMarked;
