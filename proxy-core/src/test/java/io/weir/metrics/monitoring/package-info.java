/** The dashboard and the alert rules of {@code conf/monitoring}, generated from the catalogue of meters. */
@NullMarked
package io.weir.metrics.monitoring;

import org.jspecify.annotations.NullMarked;
