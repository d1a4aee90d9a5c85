/**
 * Ethereum's encodings and hashes as pure functions. Here: what every layer is made of, byte strings and their
 * hexadecimal forms, quantities, addresses, 32-byte hashes and Keccak-256.
 *
 * <p>Knows nothing of JSON-RPC, sockets or the proxy; depends on BouncyCastle for Keccak and the curve. The packages
 * below build on this one, never the other way: {@code rlp} and {@code signature}, then {@code trie}, then
 * {@code transaction}, then {@code block}. Start reading at {@link io.weir.ethereum.Bytes}.
 */
@NullMarked
package io.weir.ethereum;

import org.jspecify.annotations.NullMarked;
