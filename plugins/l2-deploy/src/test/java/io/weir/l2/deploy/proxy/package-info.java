/**
 * The plugin as it was built, in the proxy as it was built, in front of nodes that are scripted or real.
 *
 * <p>Start at {@link io.weir.l2.deploy.proxy.ScriptedNodes} and {@link io.weir.l2.deploy.proxy.LayerTwoProxy}.
 */
@NullMarked
package io.weir.l2.deploy.proxy;

import org.jspecify.annotations.NullMarked;
