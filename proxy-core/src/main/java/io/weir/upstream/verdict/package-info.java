/**
 * What an error of a node means: one table that decides its class, and what each class is followed by; the one form in which
 * reverts of every kind of node reach clients; and what is taken out of other errors before they do. Pure: knows nothing of
 * nodes or attempts. Start at {@link io.weir.upstream.verdict.ErrorTable}.
 */
@NullMarked
package io.weir.upstream.verdict;

import org.jspecify.annotations.NullMarked;
