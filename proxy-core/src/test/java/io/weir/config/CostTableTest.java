package io.weir.config;

import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.load.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostTableTest {

    @TempDir
    private Path folder;

    private static String network(String budget) {
        return "networks.a { chain-id = 1, upstreams.n { url = \"http://node\"\nbudget { " + budget + " } } }";
    }

    private static BudgetConfig budget(String text) {
        return load(network(text)).networks().get("a").upstreams().get("n").budget();
    }

    @Test
    void everyProviderOfTheProgramHasCosts() {
        assertThat(CostTable.PROVIDERS).allSatisfy(provider -> {
            assertThat(CostTable.provided(provider)).as(provider).containsKey("default");
            assertThat(budget("per-day = 1, costs = " + provider).costs().base())
                    .as(provider)
                    .isPositive();
            Path file = Path.of("..", "conf", "costs", provider + ".conf");
            assertThat(Files.readString(file))
                    .as(provider)
                    .contains("# Source: https://")
                    .contains("Read on 20");
            String included = "costs { include \"" + file.toRealPath() + "\" }";
            Path main = Files.writeString(folder.resolve("weir.conf"), network(included));
            assertThat(ConfigLoader.load(main, Map.of())
                            .config()
                            .networks()
                            .get("a")
                            .upstreams()
                            .get("n")
                            .budget())
                    .as(provider)
                    .isEqualTo(budget("costs = " + provider));
        });
        assertThat(Path.of("..", "conf", "costs"))
                .isDirectoryContaining(file -> CostTable.PROVIDERS.contains(
                        file.getFileName().toString().replace(".conf", "")));
    }

    @ParameterizedTest
    @CsvSource({
        "alchemy, eth_call, 26, 26",
        "alchemy, eth_chainId, 0, 0",
        "alchemy, eth_sendRawTransaction, 40, 250",
        "alchemy, debug_traceCall, 40, 1000",
        "alchemy, trace_filter, 40, 40",
        "alchemy, trace_block, 20, 20",
        "alchemy, trace_replayTransaction, 80, 3000",
        "ankr, eth_call, 200, 200",
        "chainstack, trace_block, 2, 2",
        "drpc, eth_getLogs, 20, 20",
        "infura, eth_getLogs, 255, 255",
        "quicknode, debug_traceCall, 40, 40",
        "quicknode, txpool_content, 80, 80",
        "quicknode, eth_call, 20, 20"
    })
    void aCallCostsWhatTheProviderSays(String provider, String method, long day, long second) {
        BudgetConfig budget = budget("costs = " + provider);
        assertThat(budget.costs().of(method)).isEqualTo(day);
        assertThat(budget.secondCosts().of(method)).isEqualTo(second);
    }

    @Test
    void theLongestPrefixCountsAndTheNameBeforeIt() {
        BudgetConfig budget = budget("costs { \"*\" = 2, \"eth_*\" = 3, \"eth_get*\" = 4, eth_getLogs = 5 }");
        assertThat(List.of("net_version", "eth_call", "eth_getCode", "eth_getLogs"))
                .extracting(budget.costs()::of)
                .containsExactly(2L, 3L, 4L, 5L);
    }

    @Test
    void withoutCostsUnitsAreCalls() {
        assertThat(budget("per-day = 5").costs().of("eth_call")).isEqualTo(1);
        assertThat(budget("per-day = 5").isBounded()).isTrue();
        assertThat(budget("").isBounded()).isFalse();
    }

    @Test
    void mistakesAreNamedWithTheirPlace() {
        assertThat(problems(network("costs = alchemi")))
                .singleElement()
                .asString()
                .contains("networks.a.upstreams.n.budget.costs: alchemi (expected: one of alchemy, ankr, chainstack");
        assertThat(problems(network("costs { eth_call = many }")))
                .singleElement()
                .asString()
                .contains("budget.costs.eth_call: many (expected: a whole number from 0 to 1000000000)");
        assertThat(problems(network("costs { \"eth call\" = 3 }")))
                .singleElement()
                .asString()
                .contains("expected: a method, a prefix such as debug_*, or *");
        assertThat(problems(network("per-minute = 3")))
                .singleElement()
                .asString()
                .contains("per-minute");
    }
}
