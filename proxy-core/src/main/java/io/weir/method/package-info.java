/**
 * The catalogue: what the proxy knows of each method; what its calls take is in {@code io.weir.method.params}. Pure; imports only
 * {@code jsonrpc} and {@code config}.
 */
@NullMarked
package io.weir.method;

import org.jspecify.annotations.NullMarked;
