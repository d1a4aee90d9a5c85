/**
 * Reads a deployment of an account out of a call's parameters: holds every field against its type, says of all that are wrong
 * what they should be, and brings the others into their normal form.
 *
 * <p>Start at {@link io.weir.l2.deploy.intake.DeploymentReader}. Knows nothing of networks and of sending.
 */
@NullMarked
package io.weir.l2.deploy.intake;

import org.jspecify.annotations.NullMarked;
