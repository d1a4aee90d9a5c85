package io.weir.l2.typed;

import io.weir.l2.Felt;
import io.weir.l2.hash.Pedersen;
import io.weir.l2.hash.Poseidon;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The two revisions of typed data. */
public enum Revision {
    /** Revision 0: Pedersen. */
    LEGACY,
    /** Revision 1: Poseidon, types with ranges, enums. */
    ACTIVE;

    private static final Set<String> LEGACY_TYPES = Set.of("felt", "bool", "string", "selector", "merkletree");
    private static final Set<String> ACTIVE_TYPES = Set.of(
            "felt",
            "bool",
            "string",
            "selector",
            "merkletree",
            "enum",
            "shortstring",
            "u128",
            "i128",
            "timestamp",
            "ContractAddress",
            "ClassHash");
    private static final Map<String, List<Field>> PRESETS = Map.of(
            "u256", List.of(Field.of("low", "u128"), Field.of("high", "u128")),
            "TokenAmount", List.of(Field.of("token_address", "ContractAddress"), Field.of("amount", "u256")),
            "NftId", List.of(Field.of("collection_address", "ContractAddress"), Field.of("token_id", "u256")));

    /** As the domain says it. */
    String number() {
        return this == ACTIVE ? "1" : "0";
    }

    /** The type of the domain. */
    String domainType() {
        return this == ACTIVE ? "StarknetDomain" : "StarkNetDomain";
    }

    /** Types that are no structs and that a message cannot define. */
    Set<String> basicTypes() {
        return this == ACTIVE ? ACTIVE_TYPES : LEGACY_TYPES;
    }

    /** Structs that a message has without defining them. */
    Map<String, List<Field>> presets() {
        return this == ACTIVE ? PRESETS : Map.of();
    }

    /** The steps of hashing one element. A hash of Pedersen takes less than a millisecond, one of Poseidon less than a tenth. */
    long stepsPerElement() {
        return this == ACTIVE ? 100 : 1_000;
    }

    Felt hashMany(List<Felt> elements) {
        return this == ACTIVE ? Poseidon.hashMany(elements) : Pedersen.hashMany(elements);
    }

    Felt hash(Felt left, Felt right) {
        return this == ACTIVE ? Poseidon.hash(left, right) : Pedersen.hash(left, right);
    }

    /** A name as it stands in an encoded type. */
    String quoted(String name) {
        return this == ACTIVE ? '"' + name + '"' : name;
    }
}
