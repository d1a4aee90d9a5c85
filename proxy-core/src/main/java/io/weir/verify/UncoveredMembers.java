package io.weir.verify;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * Members that no root and no comparison covers in a family, by the object that holds them. They pass as sent. Immutable.
 *
 * @param transaction of Ethereum's types; of a family's own types, only the fields of the encoding are covered
 */
public record UncoveredMembers(Set<String> block, Set<String> transaction, Set<String> receipt) {

    static final UncoveredMembers NONE = new UncoveredMembers(Set.of(), Set.of(), Set.of());

    public UncoveredMembers {
        block = Set.copyOf(block);
        transaction = Set.copyOf(transaction);
        receipt = Set.copyOf(receipt);
    }

    /** Returns these members and others. */
    UncoveredMembers and(UncoveredMembers more) {
        return new UncoveredMembers(
                union(block, more.block), union(transaction, more.transaction), union(receipt, more.receipt));
    }

    private static Set<String> union(Collection<String> one, Collection<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }
}
