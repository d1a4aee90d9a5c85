/**
 * Meters over a Dropwizard registry: what is counted, under which names and labels, and its Prometheus text; and what goes
 * wrong often, for the log. Imports nothing of the proxy.
 */
@NullMarked
package io.weir.metrics;

import org.jspecify.annotations.NullMarked;
