package io.weir.wallet.approval;

import com.typesafe.config.ConfigUtil;
import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.NearestName;
import io.weir.api.setting.Setting;
import io.weir.api.setting.Sha256;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of who approves, and of which requests need it. Immutable.
 *
 * @param persons who can approve, by name
 * @param otherwise the policy of tenants that are not named
 */
public record ApprovalSettings(
        @About(
                "SHA-256 of the credential with which a person named `approver` approves. Without an approver requests for a person are "
                        + "refused at once.")
        @Setting(value = "\"\"", form = UnnamedApprover.class)
        @Nullable
        String approverSha256,

        @About("The persons who approve.")
        @Setting(
                path = "approvers",
                value = "{}",
                pattern = "[A-Za-z0-9][A-Za-z0-9._@-]{0,63}",
                rule = "a name of up to 64 letters, digits or . _ @ -")
        Map<String, Approver> persons,

        @About("A request waits this long for a person, instead of `server.call-timeout`.")
        @Setting(path = "approval.timeout", value = "2 m", range = "1 s to 1 h")
        long timeoutMillis,

        @About(
                "An address that is called with a POST when a request waits: JSON with its `id` and `kind`, how many are `waiting`, and a "
                        + "`text` for chat programs.")
        @Setting(path = "approval.webhook", form = Webhook.Address.class)
        @Nullable
        URI webhook,

        @About("A person stays signed in for this long.")
        @Setting(path = "approval.session", value = "15 m", range = "1 s to 24 h")
        long sessionMillis,

        @About("The policy of tenants that are not named: a person decides, or nothing is signed.")
        @Setting(path = "approval.policy", value = "ask")
        Otherwise otherwise,

        @About("The policies of tenants, by the name of the API key.")
        @Setting(path = "approval.tenants", value = "{}", pattern = ".+", rule = "the name of an API key")
        Map<String, Policy> tenants)
        implements Checked {

    private static final String UNNAMED = "approver";

    /** The policy of a tenant that is not named. Rules are for those that are. */
    enum Otherwise {
        ASK(Policy.Word.ASK),
        DENY(Policy.Word.DENY);

        private final Policy.Word word;

        Otherwise(Policy.Word word) {
            this.word = word;
        }
    }

    /**
     * A person who approves.
     *
     * @param sha256 of the credential, in lower case
     */
    public record Approver(
            @About("SHA-256 of this person's credential.") @Setting(form = Sha256.class)
            String sha256) {}

    /** The hash of a credential; or an empty text. */
    static final class UnnamedApprover extends Sha256 {

        UnnamedApprover() {
            super("(" + PATTERN + ")?", false);
        }
    }

    @Override
    public void check(Block block) {
        Block named = block.lookInto("approvers");
        Set<String> hashes = new HashSet<>();
        if (approverSha256 != null) {
            hashes.add(approverSha256);
            if (persons.containsKey(UNNAMED)) {
                named.lookInto(UNNAMED).wrongName("another name: this is that of approver-sha256");
            }
        }
        new TreeMap<>(persons).forEach((name, person) -> {
            if (!person.sha256().isEmpty() && !hashes.add(person.sha256())) {
                named.lookInto(name).look("sha256").secret().wrong("a credential that no other approver has");
            }
        });
    }

    /** Returns the hashes of the credentials by the names of the persons. */
    public Map<String, byte[]> approvers() {
        Map<String, byte[]> approvers = new TreeMap<>();
        if (approverSha256 != null) {
            approvers.put(UNNAMED, HexFormat.of().parseHex(approverSha256));
        }
        persons.forEach((name, person) -> approvers.put(name, HexFormat.of().parseHex(person.sha256())));
        return approvers;
    }

    /** Returns how long a request waits for a person. */
    public Duration timeout() {
        return Duration.ofMillis(timeoutMillis);
    }

    /** Returns how long a person stays signed in. */
    public Duration session() {
        return Duration.ofMillis(sessionMillis);
    }

    /** Returns whether anybody can approve anything. */
    public boolean hasApprover() {
        return approverSha256 != null || !persons.isEmpty();
    }

    /** Returns whether anything is said of who approves what. */
    public boolean isWritten() {
        return hasApprover() || !tenants.isEmpty();
    }

    /**
     * Returns a line if requests of some callers are refused because nobody can approve them.
     *
     * @param callers the names of those who can call
     */
    public List<String> warnings(Set<String> callers) {
        boolean some = otherwise == Otherwise.ASK
                && !hasApprover()
                && !tenants.keySet().containsAll(callers);
        return some
                ? List.of("approval.policy: ask, and nobody can approve: every request is refused (expected: "
                        + "approver-sha256, approvers, or approval.tenants)")
                : List.of();
    }

    Policy policy(String tenant) {
        Policy named = tenants.get(tenant);
        return named == null ? Policy.of(otherwise.word) : named;
    }

    /** Returns the setting that holds the policy of a tenant. */
    String policyPath(String tenant) {
        return tenants.containsKey(tenant) ? "approval.tenants." + tenant : "approval.policy";
    }

    /**
     * Returns one line for each name that nothing has, and for each policy that needs a person where there is none.
     *
     * @param callers the names of those who can call
     * @param networks the names of the wallet's networks
     */
    public List<String> mismatches(Set<String> callers, Set<String> networks) {
        List<String> lines = new ArrayList<>();
        new TreeMap<>(tenants).forEach((tenant, policy) -> {
            String path = "approval.tenants." + ConfigUtil.quoteString(tenant);
            if (!callers.contains(tenant)) {
                lines.add(path + ": no such caller (expected: the name of an API key"
                        + NearestName.hint(tenant, callers) + ")");
            }
            if (policy.asks() && !hasApprover()) {
                lines.add(path + ".policy: ask, and nobody can approve (expected: approver-sha256, or approvers)");
            }
            int persons = approvers().size();
            int needed = policy.rules().stream().mapToInt(Rule::approvals).reduce(0, Math::max);
            if (persons < needed) {
                lines.add(path + ".rules: one needs " + needed + " persons, and " + persons
                        + " can approve (expected: more approvers)");
            }
            for (int i = 0; i < policy.rules().size(); i++) {
                String place = policy.listed().isEmpty() ? path : path + ".rules." + i;
                policy.rules()
                        .get(i)
                        .bounds()
                        .unknownNetworks(networks)
                        .forEach(name -> lines.add(place + ".networks: "
                                + name + " (expected: the name of one of the wallet's networks"
                                + NearestName.hint(name, networks) + ")"));
            }
        });
        return lines;
    }
}
