/**
 * The catalogue of methods, one row for each, and the calls that the proxy makes itself. A new method is a new row in one of the
 * {@code …Methods} classes; {@link io.weir.method.MethodFacts} lists the columns. Other packages read columns and compare no names.
 * Parameters are in {@code io.weir.method.params}. Pure; imports only {@code jsonrpc} and {@code config}.
 */
@NullMarked
package io.weir.method;

import org.jspecify.annotations.NullMarked;
