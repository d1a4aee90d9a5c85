package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bounds how hard the English of pages and Javadoc is to read: few long sentences, and few that open with a clause as their subject ("What
 * comes again stays").
 */
@Tag("rules")
class ProseTest {

    private static final int LONG_SENTENCE = 30;
    private static final int SHOWN = 15;
    private static final Pattern FUSED = Pattern.compile("(What|Whose|Who|Whom|That|Where|Those)\\b.*", Pattern.DOTALL);
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:])\\s+(?=[A-Z`])");
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git", "results");

    private record Sentence(Path file, String text) {

        int words() {
            return text.split("\\s+").length;
        }

        boolean isFused() {
            return FUSED.matcher(text).matches();
        }

        @Override
        public String toString() {
            return file + ": " + text;
        }
    }

    @Test
    void javadocOfMainCodeIsPlain() {
        List<Sentence> sentences = files(".java").stream()
                .filter(file -> file.toString().contains("/src/main/java/"))
                .flatMap(ProseTest::javadoc)
                .toList();

        assertPlain("Javadoc of main code", sentences, 0.3, 0.5);
    }

    @Test
    void pagesArePlain() {
        List<Path> pages = files(".md").stream()
                .filter(file -> !file.toString().contains("/src/"))
                .toList();

        assertThat(pages).isNotEmpty();
        for (Path page : pages) {
            assertPlain(page.toString(), markdown(page).toList(), 5, 1.5);
        }
    }

    /**
     * Fails if more sentences than allowed are long or fused.
     *
     * @param maxLong share of sentences of more than 30 words, in percent
     * @param maxFused share of sentences with a clause as their subject, in percent
     */
    private static void assertPlain(String where, List<Sentence> sentences, double maxLong, double maxFused) {
        List<Sentence> tooLong = sentences.stream()
                .filter(sentence -> sentence.words() > LONG_SENTENCE)
                .sorted(Comparator.comparing(Sentence::words).reversed())
                .toList();
        List<Sentence> fused = sentences.stream().filter(Sentence::isFused).toList();

        assertThat(share(tooLong, sentences))
                .as(
                        "%s: percent of sentences of more than %d words (split these):%n%s",
                        where, LONG_SENTENCE, shown(tooLong))
                .isLessThanOrEqualTo(maxLong);
        assertThat(share(fused, sentences))
                .as(
                        "%s: percent of sentences with a clause as their subject (begin with the noun):%n%s",
                        where, shown(fused))
                .isLessThanOrEqualTo(maxFused);
    }

    private static double share(List<Sentence> part, List<Sentence> all) {
        return all.isEmpty() ? 0 : 100.0 * part.size() / all.size();
    }

    private static String shown(List<Sentence> sentences) {
        return sentences.stream().limit(SHOWN).map(Sentence::toString).collect(Collectors.joining("\n"));
    }

    private static Stream<Sentence> javadoc(Path file) {
        return JAVADOC.matcher(text(file)).results().flatMap(comment -> {
            String body = comment.group(1)
                    .replaceAll("(?m)^\\s*\\*\\s?", "")
                    .replaceAll("(?s)<pre.*?</pre>", "")
                    .replaceAll("(?ms)^\\s*@(param|return|throws|see|since|deprecated)\\b.*", "")
                    .replaceAll("\\{@\\w+\\s+([^}]*)\\}", "$1");
            return sentences(file, body.replaceAll("<[^>]+>", " "));
        });
    }

    private static Stream<Sentence> markdown(Path file) {
        String text = text(file).replaceAll("(?s)```.*?```", "").replaceAll("(?m)^\\s*(\\||#).*$", "");
        return Stream.of(text.split("\\n\\s*\\n|\\n\\s*[-*] ")).flatMap(block -> sentences(file, block));
    }

    private static Stream<Sentence> sentences(Path file, String text) {
        return SENTENCE_END
                .splitAsStream(text.trim().replaceAll("\\s+", " "))
                .map(part -> new Sentence(file, part))
                .filter(sentence -> sentence.words() > 2);
    }

    private static List<Path> files(String suffix) {
        Path root = Checkout.find().root();
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return SKIPPED.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().endsWith(suffix)) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
