/**
 * Ethereum's encodings and hashes as pure functions: hex, quantities, RLP, Keccak-256, headers, transactions, receipts,
 * blooms and trie roots. Knows nothing of JSON-RPC, sockets or the proxy; depends on BouncyCastle for Keccak and the curve.
 */
@NullMarked
package io.weir.ethereum;

import org.jspecify.annotations.NullMarked;
