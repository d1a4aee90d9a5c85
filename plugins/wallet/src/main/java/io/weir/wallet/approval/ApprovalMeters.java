package io.weir.wallet.approval;

import io.weir.api.PluginMeters;
import io.weir.api.PluginMeters.Counter;
import java.util.function.LongSupplier;

/**
 * Counts how requests for approval end. Thread-safe.
 *
 * @param allowed approved by a policy
 * @param denied refused by a policy, or because nobody can approve
 * @param approved by a person
 * @param refused by a person
 * @param timedOut nobody decided
 * @param stopped refused because the proxy stops
 * @param crowdedOut not parked: too many waited
 * @param withdrawn taken back, because all callers have gone or joined an equal request
 */
record ApprovalMeters(
        Counter allowed,
        Counter denied,
        Counter approved,
        Counter refused,
        Counter timedOut,
        Counter stopped,
        Counter crowdedOut,
        Counter withdrawn) {

    static ApprovalMeters of(PluginMeters meters, LongSupplier waiting) {
        meters.gauge("approvals_waiting", "Requests that wait for a person", waiting);
        return new ApprovalMeters(
                meters.counter("approvals_allowed", "Requests approved by a policy"),
                meters.counter("approvals_denied", "Requests refused by a policy, or because nobody can approve"),
                meters.counter("approvals_approved", "Requests approved by a person"),
                meters.counter("approvals_refused", "Requests refused by a person"),
                meters.counter("approvals_timed_out", "Requests on which nobody decided in time"),
                meters.counter("approvals_stopped", "Requests refused because the proxy stops"),
                meters.counter("approvals_crowded_out", "Requests not asked about: too many waited"),
                meters.counter("approvals_withdrawn", "Requests taken back, because their callers have gone"));
    }
}
