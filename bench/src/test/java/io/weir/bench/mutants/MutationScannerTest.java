package io.weir.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MutationScannerTest {

    @Test
    void eachOperatorHasAnother() throws IOException {
        assertThat(changes("int x = a + b * (c - 1) % d;"))
                .containsExactly(
                        "ARITHMETIC int x = a - b * (c - 1) % d;",
                        "ARITHMETIC int x = a + b * (c - 1) * d;",
                        "ARITHMETIC int x = a + b / (c - 1) % d;",
                        "ARITHMETIC int x = a + b * (c + 1) % d;");
        assertThat(changes("x += a <<  1;")).containsExactly("ARITHMETIC x -= a << 1;", "ARITHMETIC x += a >> 1;");
        assertThat(changes("f(i++);")).containsExactly("ARITHMETIC f(i--);");
        assertThat(changes("f(a == b, a >= c, Math.min(a, 1));"))
                .containsExactly(
                        "EQUALITY f(a != b, a >= c, Math.min(a, 1));",
                        "BOUND f(a == b, a > c, Math.min(a, 1));",
                        "BOUND f(a == b, a >= c, Math.max(a, 1));");
    }

    @Test
    void aConditionIsDroppedOrNegatedOrAlwaysTheSame() throws IOException {
        assertThat(changes("if (a && !b) { f(); } else { g(); }"))
                .containsExactly(
                        "CONDITION if (true) { f(); } else { g(); }",
                        "CONDITION if (false) { f(); } else { g(); }",
                        "CONDITION if (!(a && !b)) { f(); } else { g(); }",
                        "CONDITION if (a) { f(); } else { g(); }",
                        "CONDITION if (!b) { f(); } else { g(); }",
                        "CONDITION if (a && b) { f(); } else { g(); }");
        assertThat(changes("while (a) { f(); }")).containsExactly("CONDITION while (!(a)) { f(); }");
        assertThat(changes("int x = a ? 1 : 2;")).containsExactly("CONDITION int x = (1);", "CONDITION int x = (2);");
    }

    @Test
    void aGuardIsRemoved() throws IOException {
        assertThat(changes("if (a) { return; }"))
                .containsExactly("GUARD ;", "CONDITION if (true) { return; }", "CONDITION if (!(a)) { return; }");
        assertThat(changes("if (a) { throw new Error(); }")).contains("GUARD ;");
        assertThat(changes("limits.requireRoom(1);")).containsExactly("GUARD ;");
    }

    @Test
    void whatWasTakenIsNotGivenBack() throws IOException {
        assertThat(changes("buffer.release();")).containsExactly("GIVE_BACK ;");
        assertThat(changes("then(() -> slots.giveBack(1));")).containsExactly("GIVE_BACK then(() -> {});");
        assertThat(changes("buffer.releases();")).isEmpty();
    }

    @Test
    void aPredicateReturnsTheOpposite() throws IOException {
        assertThat(members("boolean isOpen() { return true; }"))
                .containsExactly("RETURN boolean isOpen() { return false; }");
        assertThat(members("boolean isOpen() { return f(x -> { return x; }); }"))
                .containsExactly("RETURN boolean isOpen() { return !(f(x -> { return x; })); }");
        assertThat(members("Boolean isOpen() { return true; }")).isEmpty();
    }

    @Test
    void textsAndConstantsStay() throws IOException {
        assertThat(members("static final int LIMIT = 1 << 20;")).isEmpty();
        assertThat(members("public String toString() { return a < b ? x : y; }"))
                .isEmpty();
        assertThat(changes("String x = a + \"b\" + c;")).isEmpty();
    }

    @Test
    void aMutantNamesItsLineAndClass() throws IOException {
        Path file = Path.of("core/src/main/java/io/weir/cache/Store.java");

        Mutant mutant = MutationScanner.places(file, "class Store {\n  int x = a\n      + b;\n}\n")
                .get(0)
                .get(0);

        assertThat(mutant.title()).isEqualTo("ARITHMETIC core/src/main/java/io/weir/cache/Store.java:3");
        assertThat(mutant.module()).isEqualTo("core");
        assertThat(mutant.className()).isEqualTo("io.weir.cache.Store");
        assertThat(mutant.changed()).isEqualTo("class Store {\n  int x = a\n      - b;\n}\n");
    }

    private static List<String> changes(String statement) throws IOException {
        return members("void f() {\n" + statement + "\n}");
    }

    private static List<String> members(String members) throws IOException {
        return MutationScanner.places(Path.of("Sample.java"), "class Sample {\n" + members + "\n}\n").stream()
                .flatMap(List::stream)
                .map(mutant -> mutant.kind() + " " + mutant.lines(mutant.replacement()))
                .toList();
    }
}
