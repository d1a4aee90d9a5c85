/**
 * Approvals: what is asked before something is signed or shown, who is asked, and what a tenant's policy answers by itself. A {@link
 * io.weir.wallet.approval.Request} says who waits and who decides, its {@link io.weir.wallet.approval.Content} what for.
 */
@NullMarked
package io.weir.wallet.approval;

import org.jspecify.annotations.NullMarked;
