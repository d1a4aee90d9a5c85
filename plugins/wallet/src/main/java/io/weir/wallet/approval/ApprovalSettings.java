package io.weir.wallet.approval;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import io.weir.wallet.name.SimilarName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The settings of who approves, and of the block {@code approval}. Immutable.
 *
 * @param approvers the hashes of the credentials with which persons approve, by the names of these; empty where nobody can
 * @param timeout how long a request waits for a person
 * @param session how long a person stays signed in
 * @param policies by tenant
 * @param otherwise the policy of every other tenant
 * @param withoutChain the tenants whose messages need not name a chain
 */
public record ApprovalSettings(
        Map<String, byte[]> approvers,
        Duration timeout,
        Duration session,
        Map<String, Policy> policies,
        Policy otherwise,
        Set<String> withoutChain) {

    private static final Duration SECOND = Duration.ofSeconds(1);

    public ApprovalSettings {
        approvers = Map.copyOf(approvers);
        policies = Map.copyOf(policies);
        withoutChain = Set.copyOf(withoutChain);
    }

    /** Whether anybody can approve anything. */
    public boolean hasApprover() {
        return !approvers.isEmpty();
    }

    boolean signsWithoutChain(String tenant) {
        return withoutChain.contains(tenant);
    }

    Policy policy(String tenant) {
        return policies.getOrDefault(tenant, otherwise);
    }

    /** Returns the setting that holds the policy of a tenant. */
    String policyPath(String tenant) {
        return policies.containsKey(tenant) ? "approval.tenants." + tenant : "approval.policy";
    }

    /**
     * Returns one line for each name that nothing has, and for each policy that needs a person where there is none.
     *
     * @param callers the names of those who can call
     * @param networks the names of the wallet's networks
     */
    public List<String> mismatches(Set<String> callers, Set<String> networks) {
        List<String> lines = new ArrayList<>();
        new TreeMap<>(policies).forEach((tenant, policy) -> {
            String path = PolicyReader.path(tenant);
            if (!callers.contains(tenant)) {
                lines.add(path + ": no such caller (expected: the name of an API key"
                        + SimilarName.hint(tenant, callers) + ")");
            }
            if (policy instanceof Policy.Ask && !hasApprover()) {
                lines.add(path + ".policy: ask, and nobody can approve (expected: approver-sha256, or approvers)");
            }
            if (policy instanceof Policy.Allow allow) {
                allowMismatches(path, allow, networks, lines);
            }
        });
        return lines;
    }

    private void allowMismatches(String path, Policy.Allow allow, Set<String> networks, List<String> lines) {
        if (hasApprover() && approvers.size() < allow.mostApprovals()) {
            lines.add(path + ".rules: one needs " + allow.mostApprovals() + " persons, and " + approvers.size()
                    + " can approve (expected: more approvers)");
        }
        allow.rules().stream()
                .flatMap(rule -> rule.unknownNetworks(networks).stream())
                .distinct()
                .forEach(name -> lines.add(path + ".networks: " + name
                        + " (expected: the name of one of the wallet's networks" + SimilarName.hint(name, networks)
                        + ")"));
    }

    /**
     * Reads them.
     *
     * @param wallet the block {@code plugins.wallet}
     * @param problems gets one line for each setting that is wrong
     */
    public static ApprovalSettings read(Config wallet, List<String> problems) {
        Config approval = wallet.getConfig("approval");
        String otherwise = approval.getString("policy");
        Policy policy = PolicyReader.simple(otherwise);
        if (policy == null) {
            problems.add(
                    "approval.policy: " + otherwise + " (expected: ask or deny; allow is for tenants, with rules)");
            policy = new Policy.Deny();
        }
        PolicyReader tenants = new PolicyReader(problems);
        Map<String, Policy> policies = tenants.read(approval.getObject("tenants"));
        return new ApprovalSettings(
                new ApproverReader(problems).read(wallet),
                duration(approval, "timeout", Duration.ofHours(1), problems),
                duration(approval, "session", Duration.ofHours(24), problems),
                policies,
                policy,
                tenants.withoutChain());
    }

    private static Duration duration(Config approval, String name, Duration most, List<String> problems) {
        try {
            Duration duration = approval.getDuration(name);
            if (duration.compareTo(SECOND) >= 0 && duration.compareTo(most) <= 0) {
                return duration;
            }
        } catch (ConfigException ignored) {
            // Said below.
        }
        problems.add("approval." + name + ": " + approval.getString(name) + " (expected: from 1 s to " + most.toHours()
                + " h)");
        return SECOND;
    }
}
