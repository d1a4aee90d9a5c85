package io.weir.hocon;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.weir.hocon.Outline.Entry;
import io.weir.hocon.Outline.Include;
import io.weir.hocon.Outline.Item;
import io.weir.hocon.Outline.Mixture;
import io.weir.hocon.Outline.Substitution;
import io.weir.hocon.Outline.Target;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file and its includes, relative to itself. An include that cannot be read is a problem at its line, and
 * reading continues without it. Confined to one thread.
 *
 * <p>Each file is scanned for its outline first, and then parsed once with the content of its includes. If it is no HOCON, nothing that the
 * scan found counts.
 */
final class HoconFiles {

    private static final int MAX_FILES = 256;
    private static final String MIXTURE = "parts that do not go together";
    private static final String MIXTURE_RULE = "texts, lists or blocks, not mixed";
    private static final String FILE_RULE = "a file that can be read";

    private final Sources sources;
    private final List<Problem> problems;
    private final Deque<Path> open = new ArrayDeque<>();
    private int files;
    private boolean complete = true;

    HoconFiles(Sources sources, List<Problem> problems) {
        this.sources = sources;
        this.problems = problems;
    }

    /** Returns the values of the main file, or of a text in its place, with unresolved substitutions; null if nothing can be used. */
    @Nullable
    ConfigObject main(Path file, @Nullable String text) {
        List<Runnable> notes = new ArrayList<>();
        ConfigObject read = text == null
                ? read(file, List.of(), new Problem(file.toString(), 1, 0, "file", "", FILE_RULE), notes)
                : parse(file, List.of(), text, notes);
        notes.forEach(Runnable::run);
        return read;
    }

    /** Returns whether all named files were read. */
    boolean complete() {
        return complete;
    }

    /**
     * Reads a file into the block {@code prefix}. Problems of reading are reported at {@code site}. Adds to the notes what is to be done
     * if the files around it can be read too.
     */
    private @Nullable ConfigObject read(Path file, List<String> prefix, Problem site, List<Runnable> notes) {
        Path real;
        String text;
        sources.add(file);
        try {
            real = file.toRealPath();
            if (open.contains(real)) {
                return unusable(site, "includes itself", "a file that does not lead back here");
            }
            text = SourceText.read(file);
        } catch (SourceText.NotUtf8Exception e) {
            return lost(new Problem(file.toString(), e.line(), 0, "file", "not UTF-8", "text in UTF-8"));
        } catch (IOException e) {
            return unusable(site, SourceText.reason(file, e), site.rule());
        }
        if (++files > MAX_FILES) {
            return unusable(site, "too many includes", "at most " + MAX_FILES + " files");
        }
        open.push(real);
        try {
            return parse(file, prefix, text, notes);
        } finally {
            open.pop();
        }
    }

    private @Nullable ConfigObject parse(Path file, List<String> prefix, String text, List<Runnable> notes) {
        String shown = file.toString();
        int before = problems.size();
        try {
            List<ConfigObject> included = new ArrayList<>();
            List<Runnable> found = new ArrayList<>();
            for (Item item : items(text)) {
                if (item instanceof Include include) {
                    included.add(include(file, prefix, include, found));
                } else {
                    found.add(() -> note(shown, prefix, item));
                }
            }
            ConfigObject parsed = parse(shown, text, new ChosenIncludes(included));
            notes.addAll(found);
            return parsed;
        } catch (ConfigException.WrongType e) {
            problems.subList(before, problems.size()).clear();
            return lost(new Problem(shown, line(e), 0, "file", MIXTURE, MIXTURE_RULE));
        } catch (ConfigException e) {
            problems.subList(before, problems.size()).clear();
            return lost(SyntaxRule.broken(shown, text, line(e), String.valueOf(e.getMessage())));
        }
    }

    /** Returns the outline of a text; nothing if it is no HOCON, of which the parser says more. */
    private static List<Item> items(String text) {
        try {
            return OutlineScanner.scan(text).items();
        } catch (ConfigException e) {
            return List.of();
        }
    }

    private void note(String shown, List<String> prefix, Item item) {
        if (item instanceof Entry entry) {
            sources.add(shown, prefix, entry);
        } else if (item instanceof Substitution substitution) {
            sources.add(shown, prefix, substitution);
        } else if (item instanceof Mixture mixture) {
            List<String> path = new ArrayList<>(prefix);
            path.addAll(mixture.path());
            int line = mixture.spot().line();
            int column = mixture.spot().column();
            problems.add(new Problem(shown, line, column, Sources.render(path), MIXTURE, MIXTURE_RULE));
        }
    }

    private static ConfigObject parse(String shown, String text, ChosenIncludes includes) {
        ConfigParseOptions options = ConfigParseOptions.defaults()
                .setSyntax(ConfigSyntax.CONF)
                .setOriginDescription(shown)
                .setIncluder(includes);
        return ConfigFactory.parseString(text, options).root();
    }

    private ConfigObject include(Path from, List<String> prefix, Include include, List<Runnable> notes) {
        List<String> path = new ArrayList<>(prefix);
        path.addAll(include.path());
        Problem site = new Problem(
                from.toString(),
                include.spot().line(),
                include.spot().column(),
                "include",
                '"' + Sources.clean(include.name()) + '"',
                FILE_RULE);
        if (include.target() != Target.FILE || include.name().contains("://")) {
            // URLs are not shown, because they may contain credentials, and not fetched: only files configure the
            // proxy.
            lost(with(site, include.target() == Target.CLASSPATH ? "a class path resource" : "a URL", FILE_RULE));
            return ConfigFactory.empty().root();
        }
        ConfigObject found = null;
        try {
            found = read(existing(from, include.name()), path, site, notes);
        } catch (InvalidPathException e) {
            unusable(site, "is not a file name", FILE_RULE);
        }
        return found == null ? ConfigFactory.empty().root() : found;
    }

    private Path existing(Path from, String name) {
        Path plain = from.resolveSibling(name).normalize();
        for (String ending : List.of("", ".conf", ".json")) {
            Path candidate = Path.of(plain + ending);
            // Also if it is missing, because it may come later.
            sources.add(candidate);
            if (Files.isRegularFile(candidate)) {
                return candidate;
            }
        }
        return plain;
    }

    private @Nullable ConfigObject unusable(Problem site, String reason, String rule) {
        return lost(with(site, (site.value() + " " + reason).strip(), rule));
    }

    private @Nullable ConfigObject lost(Problem problem) {
        problems.add(problem);
        complete = false;
        return null;
    }

    private static Problem with(Problem site, String value, String rule) {
        return new Problem(site.file(), site.line(), site.column(), site.path(), value, rule);
    }

    private static int line(ConfigException e) {
        return e.origin() == null ? 1 : Math.max(1, e.origin().lineNumber());
    }

    /**
     * Resolves a file's include statements, in their order, with content that was read before.
     * Typesafe Config thereby opens no file or connection itself. Confined to one thread.
     */
    private static final class ChosenIncludes
            implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {

        private final Iterator<ConfigObject> chosen;

        ChosenIncludes(List<ConfigObject> chosen) {
            this.chosen = chosen.iterator();
        }

        private ConfigObject next() {
            // A text that is no HOCON may have more of them than were found.
            return chosen.hasNext() ? chosen.next() : ConfigFactory.empty().root();
        }

        @Override
        public ConfigObject include(ConfigIncludeContext context, String what) {
            return next();
        }

        @Override
        public ConfigObject includeFile(ConfigIncludeContext context, File what) {
            return next();
        }

        @Override
        public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
            return next();
        }

        @Override
        public ConfigObject includeResources(ConfigIncludeContext context, String what) {
            return next();
        }

        @Override
        public ConfigIncluder withFallback(ConfigIncluder fallback) {
            return this;
        }
    }
}
