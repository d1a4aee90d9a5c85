/** Approvals: what is asked before something is signed or shown, who is asked, and what a tenant's policy answers by itself. */
@NullMarked
package io.weir.wallet.approval;

import org.jspecify.annotations.NullMarked;
