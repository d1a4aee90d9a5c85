package io.weir.wallet.approval;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.state.DaySums.Charge;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a tenant, and how many persons approve them. Immutable.
 *
 * @param title its name among the rules of the tenant; null if it is the only one
 * @param approvals the number of persons; 0 if the rule itself approves
 */
record Rule(
        @About("A name for the audit log; else its place in the list, from 1.")
        @Setting(path = "name", pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}", rule = "up to 64 letters, digits or . _ -")
        @Nullable
        String title,

        @About("The number of persons who approve; 0 if the rule itself does.") @Setting(range = "0 to 2")
        int approvals,

        @Setting(path = ".") Bounds bounds)
        implements Checked {

    @Override
    public void check(Block block) {
        bounds.check(block);
        // A wrong number is bound as 0, too.
        if (approvals == 0 && block.look("approvals").asText().matches("[+-]?0+")) {
            bounds.requireAll(block);
        }
    }

    /** Returns the same rule under this title if it has none. */
    Rule titled(String other) {
        return title == null ? new Rule(other, approvals, bounds) : this;
    }

    /** Returns what a request adds to the rule's sums of the day: its fee, and its amounts of tokens with a bound. */
    List<Charge> charges(Content content) {
        String owner = title == null ? content.tenant() : "rule " + title + " of " + content.tenant();
        List<Charge> charges = new ArrayList<>();
        BigInteger feePerDay = bounds.feePerDay();
        if (content.maxFeeFri() != null && feePerDay != null) {
            charges.add(new Charge(owner, content.maxFeeFri(), feePerDay));
        }
        // The calls of a message are only known in part: it is covered as a whole, or not at all.
        for (RequestedCall call : content.typedData() == null ? content.calls() : List.<RequestedCall>of()) {
            AmountRule amount = bounds.amount(call.contract());
            BigInteger most = amount == null ? null : amount.mostPerDay();
            if (most != null && AmountRule.isTransfer(call)) {
                String name = call.contract().toHex() + " of " + owner + " on " + content.network();
                charges.add(new Charge(name, AmountRule.amount(call), most));
            }
        }
        return charges;
    }
}
