/**
 * The plugin that takes deployments of layer-2 accounts, and its kind of network.
 *
 * <p>Start at {@link io.weir.l2.deploy.DeployPlugin}. A transaction is read and held against its type in {@code intake}, and
 * sent in {@code sending}; this package puts them together.
 */
@NullMarked
package io.weir.l2.deploy;

import org.jspecify.annotations.NullMarked;
