package io.weir.wallet.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of the pages' templates, which no formatter reads. */
@Tag("rules")
class TemplatesTest {

    static List<Path> templates() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/jte"))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("templates")
    void textIsAlwaysEscapedAndStandsWhereBrowsersReadEscapes(Path template) throws IOException {
        assertThat(Files.readString(template))
                .doesNotContain("$unsafe")
                .doesNotContainPattern("(?i)<style|javascript:|\\son\\w+=\"")
                .as("a script has an address and no code")
                .doesNotContainPattern("<script(?! src=\"[^\"]+\" defer></script>)");
    }

    @ParameterizedTest
    @MethodSource("templates")
    void codeOfATemplateHasOneLineAPiece(Path template) throws IOException {
        assertThat(template.toString()).endsWith(".jte");
        assertThat(Files.readString(template)).endsWith("\n").doesNotContain("\t", "\r", " \n");
        assertThat(Files.readAllLines(template))
                .filteredOn(line -> line.contains("!{"))
                .allMatch(line -> line.startsWith("!{var ") && line.endsWith(";}"));
    }
}
