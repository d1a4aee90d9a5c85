package io.weir.l2.transaction;

import org.jspecify.annotations.Nullable;

/**
 * The bounds of a transaction. Whether {@code l1DataGas} is there, even as zeros, decides which rule hashes the transaction:
 * absent, the older one over two resources; present, the one over three. Immutable.
 */
public record ResourceBounds(
        ResourceBound l1Gas, ResourceBound l2Gas, @Nullable ResourceBound l1DataGas) {}
