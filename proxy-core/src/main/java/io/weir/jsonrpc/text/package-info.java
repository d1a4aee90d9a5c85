/**
 * JSON as bytes, without JSON-RPC: scanning a text, strings and their escapes, known names. Imports nothing of the
 * proxy. Start at {@link io.weir.jsonrpc.text.JsonScanner}.
 */
@NullMarked
package io.weir.jsonrpc.text;

import org.jspecify.annotations.NullMarked;
