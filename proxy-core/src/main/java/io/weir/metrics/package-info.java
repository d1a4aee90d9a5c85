/**
 * Meters over a Dropwizard registry: names, labels, and the Prometheus text. Also the logger for frequent failures.
 * Imports nothing of the proxy.
 */
@NullMarked
package io.weir.metrics;

import org.jspecify.annotations.NullMarked;
