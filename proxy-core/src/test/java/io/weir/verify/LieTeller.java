package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.verify.Verification.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Tells lies about recorded data, one at a time, and compares what a check says with what is expected. Confined to one thread. */
final class LieTeller {

    private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

    /** Members that some types may lack, or that mean the same if they are missing. */
    private static final Set<String> OPTIONAL = Set.of(
            "isSystemTx",
            "mint",
            "to",
            "feeCurrency",
            "retryTo",
            "withdrawals",
            "sendRoot",
            "sendCount",
            "l1BlockNumber");

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private int covered;
    private int uncovered;

    /** Returns how many lies were about covered members. */
    int covered() {
        return covered;
    }

    /** Returns how many lies were about members that nothing covers. */
    int uncovered() {
        return uncovered;
    }

    /**
     * Returns one lie of each kind about each member, of each type of transaction that has it, and some of the others.
     *
     * @param others how many of the others, at most
     */
    List<Lie> lies(JsonNode tree, FamilyVectors vectors, int others) {
        List<Lie> all = new ArrayList<>(Lie.about(tree));
        Collections.shuffle(all, random);
        Map<String, Lie> each = new HashMap<>();
        List<Lie> rest = new ArrayList<>();
        for (Lie lie : all) {
            if (each.putIfAbsent(place(lie, vectors), lie) != null) {
                rest.add(lie);
            }
        }
        List<Lie> chosen = new ArrayList<>(each.values());
        chosen.addAll(rest.subList(0, Math.min(rest.size(), others)));
        return chosen;
    }

    /** Returns the lie's path without indexes, with the type of the transaction that it is about. */
    private static String place(Lie lie, FamilyVectors vectors) {
        Matcher index = INDEX.matcher(lie.path());
        JsonNode type = index.find()
                ? vectors.transactions().path(Integer.parseInt(index.group(1))).path("type")
                : null;
        return lie.kind() + " " + INDEX.matcher(lie.path()).replaceAll("[]") + " " + type;
    }

    /** Tells a lie, checks, and takes the lie back. */
    void tell(Lie lie, Kind expected, Supplier<? extends Verification<?>> check) {
        if (lie.kind() == Lie.Kind.ABSENT && OPTIONAL.contains(lie.member())) {
            return;
        }
        lie.tell().run();
        Verification<?> result = check.get();
        lie.takeBack().run();
        var kind = assertThat(result.kind()).as("%s, seed %d: %s", lie, seed, result.detail());
        if (expected == Kind.PROVEN) {
            uncovered++;
            kind.isNotEqualTo(Kind.WRONG);
        } else if (lie.kind() != Lie.Kind.ABSENT && !isUnknownType(result)) {
            covered++;
            kind.isEqualTo(expected);
        } else if (!Lie.MAY_BE_ABSENT.contains(lie.member())) {
            kind.isNotEqualTo(Kind.PROVEN);
        }
    }

    private static boolean isUnknownType(Verification<?> result) {
        return result.detail().startsWith("transaction type");
    }
}
