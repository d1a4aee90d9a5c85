/**
 * Kinds of parameter values, on bytes: each holds one JSON value against its rule and gives its normal form. Imports only {@code
 * jsonrpc} and the limits of {@code config}. Start at {@link io.weir.method.params.kind.Kind}.
 */
@NullMarked
package io.weir.method.params.kind;

import org.jspecify.annotations.NullMarked;
