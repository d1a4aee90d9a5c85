package io.weir.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.method.catalogue.MethodCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the table of the methods that keys bound to contracts may use with the catalogue. */
@Tag("rules")
class ContractTablePageTest {

    private static final Path PAGE = Path.of("..", "conf", "settings.md");
    private static final String BEGIN = "<!-- contracts -->";
    private static final String END = "<!-- /contracts -->";

    private static final Map<ContractScope, String> RULES = new EnumMap<>(Map.of(
            ContractScope.NONE, "always",
            ContractScope.ADDRESS, "the address is in the list",
            ContractScope.CALL,
                    "`to` is in the list; the call has no overrides, no `authorizationList` and no unknown members",
            ContractScope.LOGS, "the filter has addresses, all of them in the list",
            ContractScope.SUBSCRIPTION, "`newHeads`: always; `logs`: as for `eth_getLogs`; others: never",
            ContractScope.SIGNED, "`to` is in the list; the transaction can be read and delegates no account"));

    @Test
    void theTableIsTrue() throws IOException {
        Map<ContractScope, TreeSet<String>> methods = new EnumMap<>(ContractScope.class);
        for (MethodFacts facts : MethodCatalogue.ethereum().all()) {
            methods.computeIfAbsent(facts.contracts(), scope -> new TreeSet<>()).add('`' + facts.name() + '`');
        }
        List<String> rows = new ArrayList<>(List.of("| methods | served if |", "|---|---|"));
        RULES.forEach((scope, rule) ->
                rows.add("| " + methods.get(scope).stream().collect(Collectors.joining(", ")) + " | " + rule + " |"));
        rows.add("| all others, and those of plugins | never |");
        String page = Files.readString(PAGE);
        assertThat(page).contains(BEGIN, END);
        assertThat(page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END))
                        .strip())
                .as("the table between %s and %s; it should read:\n%s\n", BEGIN, END, String.join("\n", rows))
                .isEqualTo(String.join("\n", rows));
    }
}
