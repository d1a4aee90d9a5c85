/**
 * Reads a deployment of an account from a call's parameters. Checks every field against its type, reports the expected form of
 * all wrong ones, and normalises the others.
 *
 * <p>Start at {@link io.weir.l2.deploy.intake.DeploymentReader}. Knows nothing of networks and of sending.
 */
@NullMarked
package io.weir.l2.deploy.intake;

import org.jspecify.annotations.NullMarked;
