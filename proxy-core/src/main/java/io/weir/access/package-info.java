/**
 * API keys: the callers, their networks, methods and rates. Hosts and origins: which requests of browsers are answered.
 * Imports {@code config}, {@code jsonrpc} and {@code method} only.
 */
@NullMarked
package io.weir.access;

import org.jspecify.annotations.NullMarked;
