package io.weir.api.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.typesafe.config.ConfigFactory;
import io.weir.hocon.HoconDocument;
import io.weir.hocon.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinderTest {

    private static final String DEFAULTS = """
            port = 1, limit = 5 MiB, wait = 2 s, on = false, mode = fast-one, names = ["a"], file = null, shop.door = open
            spare { url = null, weight = 3 }, parts {}
            defaults.part { size = 4, kind = null }
            """;

    @TempDir
    private Path folder;

    private Reading reading;

    /** Every form of setting that needs no code. */
    record House(
            @Setting(value = "1", range = "0 to 9") int port,

            @Setting(value = "5 MiB", range = "1 KiB to 1 GiB")
            int limitBytes,

            @Setting(value = "2 s", range = "10 ms to 1 m") long waitMillis,
            @Setting("false") boolean on,
            @Setting("fast-one") Mode mode,

            @Setting(value = "[\"a\"]", pattern = "[a-z]", rule = "a letter")
            Set<String> names,

            @Setting(rule = "the path of a file") @Nullable Path file,
            @Setting(path = ".") Shop shop,
            @Setting(unless = "url") @Nullable Spare spare,
            @Setting(pattern = "[a-z]+", rule = "a word") Map<String, Part> parts)
            implements Checked {

        @Override
        public void check(Block block) {
            if (on && port == 0) {
                block.look("port").wrong("1 or more beside on = true");
            }
        }
    }

    enum Mode {
        FAST_ONE,
        SLOW
    }

    record Shop(
            @Setting(path = "shop.door", value = "open", pattern = "open|shut", rule = "open or shut")
            String door) {}

    record Spare(
            @Setting(pattern = ".+", rule = "a URL") @Nullable
            String url,

            @Setting(value = "3", range = "1 to 9") long weight) {}

    record Part(
            String name,
            @Setting(value = "4", range = "1 to 9") int size,

            @Setting(pattern = "[a-z]+", rule = "a word", required = true)
            String kind) {}

    private House read(String text) throws Exception {
        HoconDocument document = HoconDocument.read(
                Files.writeString(folder.resolve("house.conf"), text),
                Map.of(),
                ConfigFactory.parseString(DEFAULTS).root());
        reading = new Reading(document);
        Block root = reading.root();
        Binder binder = new Binder(Folders.WORKING_DIRECTORY);
        Block defaults = root.block("defaults");
        binder.putDefaults(Part.class, defaults.template("part"), UnaryOperator.identity());
        return binder.read(House.class, root);
    }

    private List<String> problems() {
        return reading.finish().stream()
                .sorted()
                .map(Problem::toString)
                .map(line -> line.replaceFirst(".*/", ""))
                .toList();
    }

    @Test
    void whatNoFileSetsHasItsDefault() throws Exception {
        assertThat(read(""))
                .isEqualTo(new House(
                        1, 5 << 20, 2_000, false, Mode.FAST_ONE, Set.of("a"), null, new Shop("open"), null, Map.of()));
        assertThat(problems()).isEmpty();
    }

    @Test
    void aPathIsRelativeToTheFileThatNamesIt() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Files.writeString(inner.resolve("more.conf"), "file = \"cert.pem\"");

        assertThat(read("include \"inner/more.conf\"").file()).isEqualTo(inner.resolve("cert.pem"));
        assertThat(read("file = \"cert.pem\"").file()).isEqualTo(folder.resolve("cert.pem"));
        assertThat(read("file = \"/etc/cert.pem\"").file()).isEqualTo(Path.of("/etc/cert.pem"));
    }

    @Test
    void everyComponentIsReadByItsDeclaration() throws Exception {
        assertThat(read("""
                        port = 2, limit = 1 KiB, wait = 1 m, on = true, mode = slow, names = [x, y], file = "a/b", shop.door = shut
                        spare.url = u, parts { one { kind = k }, two { kind = l, size = 9 } }"""))
                .isEqualTo(new House(
                        2,
                        1024,
                        60_000,
                        true,
                        Mode.SLOW,
                        Set.of("x", "y"),
                        folder.resolve("a/b"),
                        new Shop("shut"),
                        new Spare("u", 3),
                        Map.of("one", new Part("one", 4, "k"), "two", new Part("two", 9, "l"))));
        assertThat(problems()).isEmpty();
    }

    @Test
    void entriesInheritWhatTheirDefaultsSay() throws Exception {
        assertThat(read("defaults.part { size = 7, kind = all }, parts { one {}, two.size = 2 }")
                        .parts())
                .isEqualTo(Map.of("one", new Part("one", 7, "all"), "two", new Part("two", 2, "all")));
        assertThat(problems()).isEmpty();
    }

    @Test
    void everyMistakeIsToldAtOnceAtItsPlace() throws Exception {
        read("""
                port = 10
                limit = 5
                wait = 2 h
                on = perhaps
                mode = fast
                names = [a, BB]
                shop.door = ajar
                spare { url = u, weigth = 1 }
                parts { ONE { kind = k }, two {} }
                """);
        assertThat(problems())
                .containsExactly(
                        "house.conf:1:8: port: 10 (expected: a whole number from 0 to 9)",
                        "house.conf:2:9: limit: 5 (expected: a size with a unit, such as 64 KiB or 5 MiB, from 1 KiB to 1 GiB)",
                        "house.conf:3:8: wait: 2 h (expected: a duration with a unit, such as 250 ms or 10 s, from 10 ms to 1 m)",
                        "house.conf:4:6: on: perhaps (expected: true or false)",
                        "house.conf:5:8: mode: fast (expected: one of fast-one, slow)",
                        "house.conf:6:13: names.1: BB (expected: a letter)",
                        "house.conf:7:13: shop.door: ajar (expected: open or shut)",
                        "house.conf:8:18: spare.weigth: unknown setting (expected: a known setting; did you mean spare.weight?)",
                        "house.conf:9:9: parts.ONE: ONE (expected: a word)",
                        "house.conf:9:27: parts.two.kind: missing (expected: a word)");
    }

    @Test
    void aRelationBetweenSettingsIsToldAtTheOneThatShouldChange() throws Exception {
        read("on = true, port = 0");

        assertThat(problems()).containsExactly("house.conf:1:19: port: 0 (expected: 1 or more beside on = true)");
    }

    @Test
    void aWrongEntryOfTheDefaultsIsToldOnce() throws Exception {
        read("defaults.part.size = 10, parts { one.kind = k, two.kind = k }");

        assertThat(problems())
                .containsExactly("house.conf:1:22: defaults.part.size: 10 (expected: a whole number from 1 to 9)");
    }

    /** Settings whose defaults are in no file. */
    record Garden(
            @Setting(pattern = "[a-z]+", rule = "a word") @Nullable
            Set<String> trees,

            @Setting @Nullable Boolean open,
            @Setting @Nullable Mode mode,

            @Setting(value = "{}", pattern = "[0-9]+", rule = "a number of digits")
            Map<String, String> prices,

            @Setting List<Bed> beds,

            @Setting(value = "{}", pattern = "[a-z]+", rule = "a word")
            Map<String, Bed> shelves,

            @Setting(path = "pond.deep.metres", value = "2", range = "1 to 9")
            int depth,

            @Setting(range = "1 to 9") @Nullable Integer gates) {}

    record Bed(
            String name,
            @Setting(value = "4", range = "1 to 9") int rows,

            @Setting(pattern = "[a-z]+", rule = "a word", required = true)
            String plant)
            implements Checked {

        @Override
        public void check(Block block) {
            if (plant.equals("oak") && rows > 1) {
                block.look("rows").wrong("1 for an oak");
            }
        }
    }

    private Garden garden(String text) throws Exception {
        return garden(Garden.class, text);
    }

    private <R extends Record> R garden(Class<R> type, String text) throws Exception {
        HoconDocument document = HoconDocument.read(
                Files.writeString(folder.resolve("garden.conf"), "plugins.garden {\n" + text + "\n}"),
                Map.of(),
                ConfigFactory.empty().root());
        reading = Reading.over(type, document.root().toConfig().getObject("plugins.garden"), document.sources());
        return new Binder(Folders.WORKING_DIRECTORY).read(type, reading.block(List.of("plugins", "garden")));
    }

    @Test
    void defaultsMayBeThoseOfTheDeclarationsAlone() throws Exception {
        assertThat(garden("")).isEqualTo(new Garden(null, null, null, Map.of(), List.of(), Map.of(), 2, null));
        assertThat(problems()).isEmpty();
    }

    @Test
    void listsHaveBlocksAndMapsHaveTexts() throws Exception {
        assertThat(garden("""
                        trees = [oak], open = yes, mode = slow, prices { oak = 7 }, pond.deep.metres = 3, gates = 7
                        beds = [{ plant = rose }, { plant = lily, rows = 2 }], shelves.low.plant = fern
                        """))
                .isEqualTo(new Garden(
                        Set.of("oak"),
                        true,
                        Mode.SLOW,
                        Map.of("oak", "7"),
                        List.of(new Bed("", 4, "rose"), new Bed("", 2, "lily")),
                        Map.of("low", new Bed("low", 4, "fern")),
                        3,
                        7));
        assertThat(problems()).isEmpty();
    }

    @Test
    void mistakesWithinListsAndBelowAPathAreToldAtTheirPlace() throws Exception {
        garden("""
                trees = [Oak]
                open = maybe
                prices { oak = much }
                beds = [{ plant = rose, row = 2 }, 5, {
                  rows = 10 }]
                pond.deep { metres = 3, meters = 4 }
                pond.wide = 1
                shelves = [low]
                tree = secret
                """);
        assertThat(problems())
                .containsExactly(
                        "garden.conf:2:10: plugins.garden.trees.0: Oak (expected: a word)",
                        "garden.conf:3:8: plugins.garden.open: maybe (expected: true or false)",
                        "garden.conf:4:16: plugins.garden.prices.oak: much (expected: a number of digits)",
                        "garden.conf:5:25: plugins.garden.beds.0.row: unknown setting (expected: a known setting; did you mean"
                                + " plugins.garden.beds.0.rows?)",
                        "garden.conf:5:36: plugins.garden.beds.1: (hidden) (expected: a block { … })",
                        "garden.conf:5:39: plugins.garden.beds.2.plant: missing (expected: a word)",
                        "garden.conf:6:10: plugins.garden.beds.2.rows: 10 (expected: a whole number from 1 to 9)",
                        "garden.conf:7:25: plugins.garden.pond.deep.meters: unknown setting (expected: a known setting; did you"
                                + " mean plugins.garden.pond.deep.metres?)",
                        "garden.conf:8:6: plugins.garden.pond.wide: unknown setting (expected: a known setting)",
                        "garden.conf:9:11: plugins.garden.shelves: (hidden) (expected: a block { … })",
                        "garden.conf:10:1: plugins.garden.tree: unknown setting (expected: a known setting; did you mean"
                                + " plugins.garden.trees?)");
    }

    @Test
    void theSettingsInForceAreLinesOfAFileWithTheOriginOfEach() throws Exception {
        garden("""
                trees = [oak]
                beds = [{ plant = rose }]
                shelves.low.plant = fern
                """);

        assertThat(reading.lines(ConfigFactory.empty()).stream().map(line -> line.replaceFirst("# .*/", "# ")))
                .containsExactly(
                        "plugins.garden.trees = [\"oak\"]  # garden.conf:2",
                        "plugins.garden.beds = [{\"plant\":\"rose\"}]  # garden.conf:3",
                        "plugins.garden.shelves.low.rows = 4  # default",
                        "plugins.garden.shelves.low.plant = \"fern\"  # garden.conf:4",
                        "plugins.garden.pond.deep.metres = 2  # default");
    }

    /** A list whose elements hold a secret. */
    record Locks(@Setting List<Lock> locks) {}

    record Lock(@Setting(form = Sha256.class) String key) {}

    @Test
    void aListWithASecretInItIsNotShown() throws Exception {
        garden(Locks.class, "locks = [{ key = %064x }]".formatted(7));

        assertThat(problems()).isEmpty();
        assertThat(reading.lines(ConfigFactory.empty()))
                .singleElement()
                .asString()
                .startsWith("plugins.garden.locks = \"(hidden)\"  # ");
    }

    @Test
    void aRelationIsToldToWhoeverLeftTheDefaultOfAnEntry() throws Exception {
        garden("beds = [{ plant = oak }]\nshelves.low.plant = oak");

        assertThat(problems())
                .containsExactly(
                        "garden.conf:2:9: plugins.garden.beds.0.rows: (hidden) (expected: 1 for an oak)",
                        "garden.conf:3:9: plugins.garden.shelves.low.rows: (hidden) (expected: 1 for an oak)");
    }

    @Test
    void ofANameThatIsThereTwiceOnALineTheLastOneIsTold() throws Exception {
        garden("pond { deep.metres = 3, deep.metres = 0 }");

        assertThat(problems())
                .containsExactly(
                        "garden.conf:2:39: plugins.garden.pond.deep.metres: 0 (expected: a whole number from 1 to 9)");
    }

    @Test
    void aTextInPlaceOfBlocksMayBeASecretAndANameMayHaveControlCharacters() throws Exception {
        garden("beds = secret\nshelves { \"a\\u001bb\" { plant = fern } }");

        assertThat(problems())
                .containsExactly(
                        "garden.conf:2:8: plugins.garden.beds: (hidden) (expected: a list [ … ])",
                        "garden.conf:3:11: plugins.garden.shelves.\"a\\u001bb\": a?b (expected: a word)");
    }

    @ParameterizedTest
    @ValueSource(classes = {NoRange.class, Wide.class, Numbers.class, Shares.class})
    void aWrongDeclarationIsToldToItsAuthor(Class<? extends Record> type) {
        assertThatIllegalStateException()
                .isThrownBy(() -> garden(type, "some = 1"))
                .withMessageStartingWith("declaration of " + type.getSimpleName() + ".some");
    }

    record NoRange(@Setting("1") int some) {}

    record Wide(
            @Setting(value = "1 MiB", range = "1 MiB to 4 GiB")
            int someBytes) {}

    record Numbers(@Setting("[]") List<Integer> some) {}

    record Shares(@Setting("1") double some) {}
}
