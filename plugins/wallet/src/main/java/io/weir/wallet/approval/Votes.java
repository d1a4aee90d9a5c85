package io.weir.wallet.approval;

import java.util.ArrayList;
import java.util.List;

/**
 * The persons who approve a request that waits. Immutable.
 *
 * @param needed the number of different persons who must
 * @param approvers the names of those who have, in order
 */
public record Votes(int needed, List<String> approvers) {

    public Votes {
        approvers = List.copyOf(approvers);
    }

    static Votes of(int needed) {
        return new Votes(needed, List.of());
    }

    /** Returns them with one more. */
    public Votes with(String approver) {
        List<String> more = new ArrayList<>(approvers);
        more.add(approver);
        return new Votes(needed, more);
    }

    /** Returns whether no further person is needed after this one. */
    public boolean isLast(String approver) {
        return !approvers.contains(approver) && approvers.size() + 1 >= needed;
    }

    /** Returns the names of those who have approved. */
    public String names() {
        return String.join(", ", approvers);
    }

    /** Returns them for a person, such as {@code 1 of 2, alice}; empty if one person is enough. */
    public String shown() {
        return needed < 2 ? "" : approvers.size() + " of " + needed + (approvers.isEmpty() ? "" : ", " + names());
    }
}
