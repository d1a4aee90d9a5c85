package io.weir.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.answer.Policy.Extent;
import io.weir.config.NetworkConfig.Verify;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.testing.NetworkSettings;
import io.weir.testing.PrintedTable;
import io.weir.verify.ChainFamily;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Prints what is judged of the answers to each method in each mode. */
@Tag("rules")
class PolicyTableTest {

    private static Policy policy(Verify verify) {
        return Policy.of(NetworkSettings.of("net", NetworkSettings.constant("verify", verify)), ChainFamily.ETHEREUM);
    }

    private static String cells(MethodFacts facts) {
        CacheClass rule = facts.cacheClass();
        Policy caching = policy(Verify.BEFORE_CACHING);
        String stored = rule == null ? "not stored" : cell(caching.beforeStoring(rule));
        return String.join(
                " | ",
                cell(policy(Verify.OFF).beforeServing(facts)),
                cell(caching.beforeServing(facts)),
                stored,
                cell(policy(Verify.BEFORE_SERVING).beforeServing(facts)));
    }

    private static String cell(Extent extent) {
        return extent.name().toLowerCase(Locale.ROOT);
    }

    @Test
    void theTableOfWhatIsJudgedOfEachMethodIsTrue() throws IOException {
        TreeMap<String, TreeSet<String>> methods = new TreeMap<>();
        MethodCatalogue.ethereum()
                .all()
                .forEach(facts -> methods.computeIfAbsent(cells(facts), cells -> new TreeSet<>())
                        .add(facts.name()));
        List<String> rows = new ArrayList<>(List.of(
                "| answers to | `off` | `before-caching` | `before-caching`, before they are stored | `before-serving`"
                        + " |",
                "|---|---|---|---|---|"));
        methods.forEach((cells, names) ->
                rows.add("| " + names.stream().map(name -> '`' + name + '`').collect(Collectors.joining(", ")) + " | "
                        + cells + " |"));
        new PrintedTable("policy").assertPrinted(rows);
    }

    @Test
    void noModeJudgesLessThanTheOneBeforeIt() {
        for (MethodFacts facts : MethodCatalogue.ethereum().all()) {
            Extent before = Extent.NOTHING;
            for (Verify verify : Verify.values()) {
                Extent extent = policy(verify).beforeServing(facts);
                assertThat(extent).as(facts.name() + " " + verify).isGreaterThanOrEqualTo(before);
                before = extent;
            }
        }
    }

    @Test
    void whatIsStoredIsProvenAtLeastAsMuchAsWhatIsServedWithoutWaiting() {
        for (Verify verify : List.of(Verify.OFF, Verify.BEFORE_CACHING)) {
            for (MethodFacts facts : MethodCatalogue.ethereum().all()) {
                if (facts.cacheClass() != null) {
                    assertThat(policy(verify).beforeStoring(facts.cacheClass()))
                            .as(facts.name() + " " + verify)
                            .isGreaterThanOrEqualTo(policy(verify).beforeServing(facts));
                }
            }
        }
    }
}
