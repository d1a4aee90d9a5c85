package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;

/** Transaction whose hash follows from its fields, with its sender. Immutable. */
public record ProvenTransaction(ChainTransaction transaction, Hash32 hash, Address sender) {}
