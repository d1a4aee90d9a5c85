package io.weir.devnet.execution;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A request to an account. Immutable.
 *
 * @param to whom; null to create a contract
 * @param value in wei
 * @param nonce the sender's before, which decides the address of a created contract
 */
public record Message(Address from, @Nullable Address to, BigInteger value, Bytes data, long nonce) {}
