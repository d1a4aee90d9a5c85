package io.weir.verify.family;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Facts about one family. Immutable.
 *
 * @param layouts the types of transactions that Ethereum does not have
 * @param gaps the transactions without a rule
 * @param uncovered the members that nothing covers
 * @param bound members that nodes add to blocks, and that the header covers
 */
record FamilyFacts(
        Set<Deviation> deviations,
        List<TransactionLayout> layouts,
        List<TransactionGap> gaps,
        UncoveredMembers uncovered,
        Set<String> bound) {

    /** The facts of Ethereum. */
    static final FamilyFacts ETHEREUM =
            new FamilyFacts(Set.of(), List.of(), List.of(), UncoveredMembers.NONE, Set.of());

    FamilyFacts {
        deviations = Set.copyOf(deviations);
        layouts = List.copyOf(layouts);
        gaps = List.copyOf(gaps);
        bound = Set.copyOf(bound);
    }

    FamilyFacts with(Deviation... more) {
        Set<Deviation> all = EnumSet.noneOf(Deviation.class);
        all.addAll(deviations);
        all.addAll(List.of(more));
        return new FamilyFacts(all, layouts, gaps, uncovered, bound);
    }

    FamilyFacts with(List<TransactionLayout> ownTypes) {
        return new FamilyFacts(deviations, ownTypes, gaps, uncovered, bound);
    }

    FamilyFacts without(TransactionGap... withoutRule) {
        return new FamilyFacts(deviations, layouts, List.of(withoutRule), uncovered, bound);
    }

    FamilyFacts passing(UncoveredMembers members) {
        return new FamilyFacts(deviations, layouts, gaps, members, bound);
    }

    FamilyFacts binding(String... members) {
        return new FamilyFacts(deviations, layouts, gaps, uncovered, Set.of(members));
    }

    /** Returns the names of all members that nodes of the family add. */
    Set<String> members() {
        Set<String> names = new HashSet<>(bound);
        names.addAll(uncovered.block());
        names.addAll(uncovered.transaction());
        names.addAll(uncovered.receipt());
        for (TransactionLayout layout : layouts) {
            layout.fields().forEach(field -> names.add(field.name()));
            names.addAll(layout.receiptItems());
        }
        return Set.copyOf(names);
    }
}
