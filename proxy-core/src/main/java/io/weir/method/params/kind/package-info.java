/**
 * Kinds of parameter values, on bytes. Each checks one JSON value and returns its normal form. The package imports only
 * {@code jsonrpc} and the limits of {@code config}. Start at {@link io.weir.method.params.kind.Kind}.
 */
@NullMarked
package io.weir.method.params.kind;

import org.jspecify.annotations.NullMarked;
