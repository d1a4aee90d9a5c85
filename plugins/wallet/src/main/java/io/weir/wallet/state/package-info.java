/**
 * The wallet's memory in one SQLite file: the accounts and transactions of each tenant on each chain, never a key. A transaction
 * is written here before it is sent, so that nothing is lost when the process dies. Everything here reads or writes files and
 * blocks.
 */
@NullMarked
package io.weir.wallet.state;

import org.jspecify.annotations.NullMarked;
