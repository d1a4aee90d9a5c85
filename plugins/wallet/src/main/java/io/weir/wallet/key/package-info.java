/**
 * The seeds of the tenants, encrypted at rest. Nothing else ever reads the file of a seed. Start at
 * {@link io.weir.wallet.key.FileSeedVault}.
 *
 * <p>Arrays hold the secrets and are wiped once they are used. Copies that others make are out of reach. The cipher and Argon2id
 * copy the key and their blocks while they work. The JVM copies a passphrase in the environment, and a collector may move an
 * array before it is wiped. A reader of this process's memory has the keys in any case. Wiping shortens the time in which a dump
 * would hold them.
 */
@NullMarked
package io.weir.wallet.key;

import org.jspecify.annotations.NullMarked;
