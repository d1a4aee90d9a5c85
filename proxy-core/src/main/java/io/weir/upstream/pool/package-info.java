/**
 * The nodes of one network together: probing them, what is known of each one's health and head, and the choice among them. Start
 * at {@link io.weir.upstream.pool.ProbedPool}.
 */
@NullMarked
package io.weir.upstream.pool;

import org.jspecify.annotations.NullMarked;
