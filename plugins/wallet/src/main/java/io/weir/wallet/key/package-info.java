/**
 * The seeds of the tenants, encrypted at rest. Nothing else ever reads the file of a seed. Start at
 * {@link io.weir.wallet.key.FileSeedVault}.
 *
 * <p>What is secret is held in arrays that are wiped once they are used. Out of reach are copies that others make: the cipher and
 * Argon2id of the key and of their blocks while they work, the JVM of a passphrase in the environment, a collector that moves an
 * array before it is wiped. Whoever can read this process's memory has the keys in any case: what is wiped keeps the time in which
 * a dump would hold them short.
 */
@NullMarked
package io.weir.wallet.key;

import org.jspecify.annotations.NullMarked;
