/**
 * Sends deployments to nodes, each once, even if equal calls come meanwhile. Compares the answer with the one that follows from
 * the transaction.
 *
 * <p>Start at {@link io.weir.l2.deploy.sending.DeploymentSender}. Which node is asked, and whether another one after it, is the
 * proxy's affair: the call is one that is not repeated.
 */
@NullMarked
package io.weir.l2.deploy.sending;

import org.jspecify.annotations.NullMarked;
