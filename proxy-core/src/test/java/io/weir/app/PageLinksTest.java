package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every link of a page to another page or heading of the checkout leads somewhere. */
@Tag("rules")
class PageLinksTest {

    private static final Path ROOT = Checkout.find().root();
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");

    static Stream<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("", ".github", "conf", "plugins", "bench")) {
            add(pages, ROOT.resolve(folder));
        }
        try (Stream<Path> plugins = Files.list(ROOT.resolve("plugins"))) {
            for (Path plugin : plugins.filter(Files::isDirectory).toList()) {
                add(pages, plugin);
            }
        }
        return pages.stream().map(ROOT::relativize).sorted();
    }

    private static void add(List<Path> pages, Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsSomewhere(Path page) throws IOException {
        List<String> dead = new ArrayList<>();
        for (MatchResult link : LINK.matcher(text(ROOT.resolve(page))).results().toList()) {
            String target = link.group(1);
            if (!target.contains("://") && !leadsSomewhere(ROOT.resolve(page), target)) {
                dead.add(target);
            }
        }
        assertThat(dead).as("dead links of " + page).isEmpty();
    }

    private static boolean leadsSomewhere(Path page, String target) throws IOException {
        int mark = target.indexOf('#');
        String file = mark < 0 ? target : target.substring(0, mark);
        Path other = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return Files.exists(other) && (mark < 0 || anchors(other).contains(target.substring(mark + 1)));
    }

    /** The anchors of headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) throws IOException {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        for (MatchResult heading : HEADING.matcher(text(page)).results().toList()) {
            String anchor = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    private static String text(Path page) throws IOException {
        return FENCED.matcher(Files.readString(page)).replaceAll("");
    }
}
