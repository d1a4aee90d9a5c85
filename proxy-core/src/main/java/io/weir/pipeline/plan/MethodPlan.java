package io.weir.pipeline.plan;

import io.weir.method.MethodFacts;
import io.weir.pipeline.Stage;

/**
 * The way of one method's calls on one network, decided when the configuration was loaded. Immutable.
 *
 * @param entrance where clients' calls begin
 * @param behindAdmission where the proxy's own calls begin: past the admission and never at a plugin's handler
 */
public record MethodPlan(MethodFacts facts, Stage entrance, Stage behindAdmission) {}
