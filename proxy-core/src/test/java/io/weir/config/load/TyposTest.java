package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.DeclaredSettings;
import io.weir.testing.DeclaredSettings.Declared;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mistakes of an operator in each setting: every one is told with its file and line, and the name that was meant. */
class TyposTest {

    /** Names shorter than this have several near ones. */
    private static final int LONG_NAME = 6;

    private static Map<String, Declared> settings() {
        Map<String, Declared> settings = new LinkedHashMap<>(DeclaredSettings.leaves("", SettingsPageTest.all()));
        settings.keySet().removeIf(path -> path.equals("networks") || path.equals("access.keys"));
        return settings;
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private static List<String> typos(String path) {
        String before = path.substring(0, path.length() - name(path).length());
        String name = name(path);
        return List.of(
                before + name.charAt(1) + name.charAt(0) + name.substring(2),
                before + name.substring(0, name.length() - 1));
    }

    private static List<String> problems(String line) {
        return TextConfig.problems(TextConfig.NETWORK + "\n" + line);
    }

    @Test
    void aWrongNameIsToldWithItsPlaceAndTheRightName() {
        int typos = 0;
        for (Map.Entry<String, Declared> setting : settings().entrySet()) {
            String path = setting.getKey();
            for (String typo : name(path).length() < LONG_NAME ? List.<String>of() : typos(path)) {
                typos++;
                assertThat(problems(typo + " = " + setting.getValue().value()))
                        .as(typo)
                        .singleElement()
                        .asString()
                        .startsWith("weir.conf:3:")
                        .contains(": " + typo + ": unknown setting (expected: a known setting; did you mean " + path
                                + "?)");
            }
        }
        assertThat(typos).isGreaterThan(150);
    }

    @Test
    void aWrongValueIsToldWithItsPlaceAndTheRule() {
        int wrong = 0;
        for (String path : settings().keySet()) {
            for (String value : List.of("\"\\u0000\"", "[[]]")) {
                List<String> problems = problems(path + " = " + value);
                wrong += problems.isEmpty() ? 0 : 1;
                assertThat(problems)
                        .as(path + " = " + value)
                        .allSatisfy(problem -> assertThat(problem)
                                .startsWith("weir.conf:3:")
                                .contains(": " + path)
                                .contains("(expected: "));
            }
        }
        assertThat(wrong).isGreaterThan(200);
    }
}
