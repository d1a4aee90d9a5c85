package io.weir.l2.deploy.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.deploy.Samples;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.StringNode;

class ProblemsTest {
    private static String shown(String json) {
        return Problems.shown(Samples.json(json));
    }

    private static String text(int length) {
        return "a".repeat(length);
    }

    @Test
    void aTextOfUpToEightyCharactersIsShownWhole() {
        assertThat(Problems.cut(text(80))).isEqualTo(text(80));
        assertThat(Problems.cut(text(81))).isEqualTo(text(80) + "…");
        assertThat(Problems.shown(StringNode.valueOf(text(80)))).isEqualTo('"' + text(80) + '"');
        assertThat(Problems.shown(StringNode.valueOf(text(81)))).isEqualTo('"' + text(80) + "…\"");
    }

    @Test
    void aCharacterOfTwoUnitsIsNotCutInTwo() {
        assertThat(Problems.cut(text(79) + "\ud83d\ude00b")).isEqualTo(text(79) + "…");
        assertThat(Problems.cut(text(78) + "\ud83d\ude00b")).isEqualTo(text(78) + "\ud83d\ude00…");
    }

    @Test
    void onlyTheSizeIsShownOfAValueWithParts() {
        assertThat(shown("[1,[2]]")).isEqualTo("an array of 2");
        assertThat(shown("{\"a\":1}")).isEqualTo("an object of 1");
        assertThat(shown("1" + "0".repeat(80))).isEqualTo("1" + "0".repeat(79) + "…");
        assertThat(Problems.shown(MissingNode.getInstance())).isEqualTo("nothing");
    }
}
