package io.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A table of ARCHITECTURE.md that describes the code. A test computes its rows. Confined to the test's thread. */
public record PrintedTable(String name) {

    private static final Path PAGE = Path.of("..", "ARCHITECTURE.md");

    private String begin() {
        return "<!-- " + name + " -->";
    }

    private String end() {
        return "<!-- /" + name + " -->";
    }

    private int begins(String page) {
        int begin = page.indexOf(begin());
        if (begin < 0 || page.indexOf(end()) < begin) {
            throw new AssertionError(PAGE + " has no table between " + begin() + " and " + end());
        }
        return begin + begin().length();
    }

    /** Returns the table as it stands on the page. */
    public String text() throws IOException {
        String page = Files.readString(PAGE);
        return page.substring(begins(page), page.indexOf(end())).strip();
    }

    /**
     * Prints the table if the property {@code weir.print} is set.
     *
     * @throws AssertionError if the page has other rows
     */
    public void assertPrinted(List<String> rows) throws IOException {
        String page = Files.readString(PAGE);
        String table = '\n' + String.join("\n", rows) + '\n';
        String printed = page.substring(0, begins(page)) + table + page.substring(page.indexOf(end()));
        DeclaredSettings.assertPrinted(PAGE, printed);
    }
}
