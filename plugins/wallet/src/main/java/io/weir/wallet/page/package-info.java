/**
 * The approvals page of the admin listener, at {@code /plugins/wallet/approvals}: what waits, and a yes or a no by a person with a
 * credential of their own. It needs no script, so that the browser is told to run none.
 *
 * <p>A person signs in once; a cookie that scripts cannot read and other sites cannot send stands for that, and each form brings a
 * token of the session besides. What callers wrote is text wherever it is shown.
 */
@NullMarked
package io.weir.wallet.page;

import org.jspecify.annotations.NullMarked;
