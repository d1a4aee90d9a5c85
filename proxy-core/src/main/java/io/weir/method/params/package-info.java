/**
 * Parameters: what each method takes, held against its rules and brought into the one form in which nodes are asked, before any
 * of them is. Knows nothing of sockets. Start at {@link io.weir.method.params.MethodParams}; the parameters are in {@link
 * io.weir.method.params.EthereumParams}, the kinds of values in {@code io.weir.method.params.kind}.
 */
@NullMarked
package io.weir.method.params;

import org.jspecify.annotations.NullMarked;
