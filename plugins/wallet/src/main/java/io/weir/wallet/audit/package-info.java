/**
 * The audit log: decisions on requests, signed transactions and outcomes, one JSON object a line, in a chain of hashes. {@link
 * AuditLog} is what the wallet writes to, {@link ChainCheck} verifies a file.
 */
@NullMarked
package io.weir.wallet.audit;

import org.jspecify.annotations.NullMarked;
