/**
 * The catalogue: what the proxy knows of each method. Pure; imports only {@code jsonrpc} and {@code config}.
 */
@NullMarked
package io.weir.method;

import org.jspecify.annotations.NullMarked;
