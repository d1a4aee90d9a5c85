/**
 * Meaning of a node's error: one table decides its class and the consequences. Reverts of every kind of node get one common
 * form, and other errors are cleaned before clients see them. Pure: the package knows nothing of nodes or attempts. Start at
 * {@link io.weir.upstream.verdict.ErrorTable}.
 */
@NullMarked
package io.weir.upstream.verdict;

import org.jspecify.annotations.NullMarked;
