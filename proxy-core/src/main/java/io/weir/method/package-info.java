/**
 * The columns of what is known of a method ({@link io.weir.method.MethodFacts}), rules on names, and the calls that the proxy makes
 * itself. The rows are in {@code io.weir.method.catalogue}, parameters in {@code io.weir.method.params}. Pure; imports only
 * {@code jsonrpc} and {@code config}.
 */
@NullMarked
package io.weir.method;

import org.jspecify.annotations.NullMarked;
