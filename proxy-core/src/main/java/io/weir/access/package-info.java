/**
 * API keys: the callers, their networks, methods, rates, bounds and accounts. Hosts and origins: which requests of browsers are
 * answered. Imports {@code config}, {@code jsonrpc}, {@code method}, {@code metrics} and {@code upstream.budget} only.
 */
@NullMarked
package io.weir.access;

import org.jspecify.annotations.NullMarked;
