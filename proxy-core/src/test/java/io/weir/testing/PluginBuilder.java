package io.weir.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.typesafe.config.Config;
import io.weir.api.WeirPlugin;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.pf4j.Extension;
import org.slf4j.Logger;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/**
 * Builds plugins as their authors do: from source, with javac, against the plugin API and what it depends on and nothing else,
 * with PF4J's annotation processor for the index.
 */
public final class PluginBuilder {

    private static final String INDEX = "META-INF/extensions.idx";

    private final String id;
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final Map<String, String> resources = new LinkedHashMap<>();
    private final List<Path> libraries = new ArrayList<>();
    private final List<Path> classPath = new ArrayList<>(apiClassPath());
    private String version = "1.0.0";
    private String requires = ">=0.1.0";
    private boolean processor = true;
    private @Nullable String descriptorExtra;
    private @Nullable String manifest;

    private PluginBuilder(String id) {
        this.id = id;
    }

    public static PluginBuilder plugin(String id) {
        return new PluginBuilder(id);
    }

    /** The class path that a plugin is compiled with: the API and its declared dependencies. */
    public static List<Path> apiClassPath() {
        return Stream.of(
                        WeirPlugin.class,
                        Extension.class,
                        JsonNode.class,
                        JsonParser.class,
                        JsonInclude.class,
                        Logger.class,
                        NullMarked.class,
                        Config.class)
                .map(PluginBuilder::location)
                .distinct()
                .toList();
    }

    private static Path location(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A class: its full name and its text. */
    public PluginBuilder source(String className, String text) {
        sources.put(className, text);
        return this;
    }

    /** A file beside the classes. */
    public PluginBuilder resource(String path, String text) {
        resources.put(path, text);
        return this;
    }

    /** A library that is compiled against and put into {@code lib/}; only for folders and zips. */
    public PluginBuilder library(Path jar) {
        libraries.add(jar);
        classPath.add(jar);
        return this;
    }

    /** Compiles against the place that a class of the host comes from, which no author should do. */
    public PluginBuilder compiledAgainst(Class<?> hostClass) {
        classPath.add(location(hostClass));
        return this;
    }

    public PluginBuilder version(String text) {
        version = text;
        return this;
    }

    public PluginBuilder requires(String range) {
        requires = range;
        return this;
    }

    /** Another line of the descriptor, as in {@code plugin.properties}. */
    public PluginBuilder descriptor(String line) {
        descriptorExtra = line;
        return this;
    }

    /** A jar's manifest in place of the usual one. */
    public PluginBuilder manifest(String text) {
        manifest = text;
        return this;
    }

    /** Compiles without the annotation processor, so that there is no index. */
    public PluginBuilder withoutProcessor() {
        processor = false;
        return this;
    }

    /** An index with this text in place of the processor's. */
    public PluginBuilder index(String text) {
        return withoutProcessor().resource(INDEX, text);
    }

    /** Builds a jar of one, with its descriptor in the manifest. */
    public Path jar(Path folder) {
        try {
            Path classes = compile();
            Path file = classes.resolve("META-INF/MANIFEST.MF");
            Files.createDirectories(file.getParent());
            String usual =
                    "Plugin-Id: " + id + "\nPlugin-Version: " + version + "\nPlugin-Requires: " + requires + "\n";
            Files.writeString(file, "Manifest-Version: 1.0\n" + (manifest == null ? usual : manifest));
            return zip(classes, folder.resolve(id + "-" + version + ".jar"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Builds a folder with {@code classes/}, {@code lib/} and {@code plugin.properties}. */
    public Path folder(Path folder) {
        return unpacked(folder.resolve(id));
    }

    /** Builds such a folder with {@code classes.jar} in place of {@code classes/}. */
    public Path packedFolder(Path folder) {
        try {
            Path plugin = folder(folder);
            Path classes = plugin.resolve("classes");
            zip(classes, plugin.resolve("classes.jar"));
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
            return plugin;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Builds the same as a zip. */
    public Path zip(Path folder) {
        try {
            return zip(unpacked(Files.createTempDirectory("plugin-zip").resolve(id)), folder.resolve(id + ".zip"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Builds it as a module's build leaves it, in {@code <id>/target/plugin}. */
    public Path buildOutput(Path folder) {
        return unpacked(folder.resolve(id).resolve("target/plugin"));
    }

    private Path unpacked(Path target) {
        try {
            Path classes = compile();
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path copy = target.resolve("classes")
                            .resolve(classes.relativize(file).toString());
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
            Files.createDirectories(target.resolve("lib"));
            for (Path library : libraries) {
                Files.copy(library, target.resolve("lib").resolve(library.getFileName()));
            }
            Files.writeString(
                    target.resolve("plugin.properties"),
                    "plugin.id=" + id + "\nplugin.version=" + version + "\nplugin.requires=" + requires + "\n"
                            + (descriptorExtra == null ? "" : descriptorExtra + "\n"));
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compiles into a new folder and gives it. */
    public Path compile() throws IOException {
        Path classes = Files.createTempDirectory("plugin-classes");
        List<String> options = new ArrayList<>(List.of("--release", "17", "-d", classes.toString()));
        options.addAll(List.of("-classpath", joined(classPath)));
        if (processor) {
            options.addAll(List.of("-processor", "org.pf4j.processor.ExtensionAnnotationProcessor"));
            options.addAll(List.of("-processorpath", joined(classPath)));
        } else {
            options.add("-proc:none");
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<JavaFileObject> units = sources.entrySet().stream()
                .<JavaFileObject>map(entry -> new SourceText(entry.getKey(), entry.getValue()))
                .toList();
        if (!compiler.getTask(messages, null, null, options, null, units).call()) {
            throw new AssertionError("the plugin " + id + " does not compile:\n" + messages);
        }
        for (Map.Entry<String, String> resource : resources.entrySet()) {
            Path file = classes.resolve(resource.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, resource.getValue());
        }
        return classes;
    }

    private static String joined(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static Path zip(Path folder, Path target) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(target));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
            }
        }
        return target;
    }

    /** Writes an archive entry by entry, with whatever names; for archives that nobody should make. */
    public static Path archive(Path target, Map<String, String> entries) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(target))) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue().getBytes(UTF_8));
            }
        }
        return target;
    }

    private static final class SourceText extends SimpleJavaFileObject {

        private final String text;

        SourceText(String className, String text) {
            super(URI.create("string:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
