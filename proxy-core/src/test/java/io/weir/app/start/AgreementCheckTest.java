package io.weir.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settings of agreement that no network can fulfil. */
class AgreementCheckTest {

    private List<String> problems(String agree) {
        return new Startup(Path.of("weir.conf"), """
                        plugins.path = []
                        access.anonymous = true
                        networks.main {
                          chain-id = 1, upstreams { a.url = "http://10.0.0.1", b.url = "http://10.0.0.2" }
                          %s
                        }
                        """.formatted(agree)).check().problems();
    }

    @Test
    void moreNodesThanThereAreAreAMistake() {
        assertThat(problems("agree { methods = [eth_call] }"))
                .singleElement()
                .asString()
                .endsWith("networks.main.agree.of: 3 (expected: at most the number of the network's upstreams, 2)");
        assertThat(problems("agree { methods = [eth_call], of = 2 }")).isEmpty();
        assertThat(problems("agree { methods = [] }")).isEmpty();
    }

    @Test
    void theSameCountsForInheritedSettings() {
        assertThat(problems("}\ndefaults.network { agree { methods = [eth_call], of = 7 }"))
                .singleElement()
                .asString()
                .contains("networks.main.agree.of: 7 (expected: at most");
    }

    @Test
    void aMethodThatSeveralNodesMayNotGetIsAMistake() {
        assertThat(problems("agree { methods = [eth_sendRawTransaction, my_method], of = 2 }"))
                .hasSize(2)
                .allMatch(line -> line.contains("networks.main.agree.methods: ")
                        && line.contains("(expected: methods that are safe to repeat"));
        assertThat(problems("agree { methods = [eth_getLogs, \"eth_*\", \"trace_*\"], of = 2 }"))
                .isEmpty();
    }
}
