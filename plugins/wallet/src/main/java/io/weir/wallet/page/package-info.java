/**
 * The approvals page of the admin listener, at {@code /plugins/wallet/approvals}. Lists waiting requests, which a person with a
 * credential of their own approves or refuses. It needs no script. The list alone
 * has one, which loads it again and keeps the focus; on all other pages the browser is told to run none.
 *
 * <p>A person signs in once and gets a cookie that scripts cannot read and other sites cannot send. It belongs to a path that nobody
 * can guess, because browsers send cookies to all ports of a host. Each form carries a token of the session besides. Pages show the callers' words as text only.
 *
 * <p>The HTML is in the templates of {@code src/main/jte}, which the build turns into classes of this package. {@code Views} finds what a
 * template shows. {@code Html} escapes every text that a template shows. The other types find the words: they know no markup.
 */
@NullMarked
package io.weir.wallet.page;

import org.jspecify.annotations.NullMarked;
