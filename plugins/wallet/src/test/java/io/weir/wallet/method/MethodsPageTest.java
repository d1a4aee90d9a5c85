package io.weir.wallet.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.wallet.request.RequestMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the table of methods of the plugin's page to the parameters that the methods take. */
@Tag("rules")
class MethodsPageTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (.*?) \\| .* \\|$");
    private static final Pattern NAME = Pattern.compile("`([a-z]\\w*)`");
    private static final Set<String> NO_NAMES = Set.of("false", "default-chain-id", "estimateFee");

    @Test
    void thePageNamesTheParametersOfEachMethod() throws IOException {
        Map<String, Set<String>> shown = shown();
        WalletMethods methods = new WalletMethods(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                new RequestMemory(null, null, null),
                null,
                null);
        methods.all().forEach((name, method) -> {
            Set<String> expected = new HashSet<>(method.parameters());
            expected.remove("chainId");
            assertThat(shown.get(name)).as(name).isEqualTo(expected);
        });
    }

    private static Map<String, Set<String>> shown() throws IOException {
        String page = Files.readString(Checkout.find().root().resolve("plugins/wallet/README.md"));
        String section = page.substring(page.indexOf("## Methods"), page.indexOf("| object |"));
        Map<String, Set<String>> rows = new HashMap<>();
        Matcher row = ROW.matcher(section);
        while (row.find()) {
            Set<String> names = new HashSet<>();
            if (row.group(2).startsWith("as `estimateFee`")) {
                names.addAll(rows.get("estimateFee"));
            }
            NAME.matcher(row.group(2))
                    .results()
                    .map(result -> result.group(1))
                    .filter(name -> !NO_NAMES.contains(name))
                    .forEach(names::add);
            rows.put(row.group(1), names);
        }
        return rows;
    }
}
