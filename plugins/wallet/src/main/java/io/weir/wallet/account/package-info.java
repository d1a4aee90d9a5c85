/**
 * Accounts: which contracts they are, which keys sign for them, and how they sign. Keys are derived when they are needed and wiped
 * behind it; what is kept is public.
 */
@NullMarked
package io.weir.wallet.account;

import org.jspecify.annotations.NullMarked;
