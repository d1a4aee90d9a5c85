package io.weir.deploy;

import io.weir.deploy.Dockerfile.Instruction;
import io.weir.testing.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An image, built from a Dockerfile without a container engine. Its base has the programs of a small Debian or Ubuntu and the Java of
 * the tests, where images of Eclipse Temurin have theirs. An instruction that it does not know fails the build. Confined to one thread.
 */
final class Image {

    private static final Path SCRIPTS = Checkout.find().root().resolve("conf/deploy/src/test/sh");
    private static final Pattern BASE = Pattern.compile("eclipse-temurin:\\d+-jre");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");
    private static final Pattern USER = Pattern.compile("(\\d+)(?::(\\d+))?");

    private final Path root;
    private final Path context;
    /** Variables of the build and of the program. */
    private final Map<String, String> arguments = new LinkedHashMap<>();

    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> volumes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private List<String> user = List.of();
    private List<String> entryPoint = List.of();
    private List<String> command = List.of();
    private List<String> healthCheck = List.of();
    private String stopSignal = "SIGTERM";

    private Image(Path root, Path context) {
        this.root = root;
        this.context = context;
    }

    /**
     * Builds an image.
     *
     * @param root an empty folder for its files
     * @param context the folder that ADD and COPY take files from
     */
    static Image build(Dockerfile file, Path root, Path context) throws IOException {
        Image image = new Image(root, context);
        for (Instruction instruction : file.instructions()) {
            image.follow(instruction);
        }
        return image;
    }

    private void follow(Instruction instruction) throws IOException {
        String text = instruction.text();
        switch (instruction.name()) {
            case "FROM" -> from(text);
            case "ARG" -> define(arguments, text);
            case "ENV" -> define(environment, text);
            case "ADD" -> add(substituted(text).split("\\s+"));
            case "RUN" -> run(instruction.command());
            case "USER" -> user = user(substituted(text));
            case "VOLUME" -> volumes.add(substituted(text));
            case "EXPOSE" -> {
                for (String port : substituted(text).split("\\s+")) {
                    ports.add(Integer.valueOf(port));
                }
            }
            case "STOPSIGNAL" -> stopSignal = substituted(text);
            case "ENTRYPOINT" -> entryPoint = instruction.command();
            case "CMD" -> command = instruction.command();
            case "HEALTHCHECK" -> healthCheck = instruction.healthCheck();
            default -> throw new IllegalArgumentException(instruction + " (expected: an instruction of this builder)");
        }
    }

    private void from(String base) {
        if (!BASE.matcher(base).matches()) {
            throw new IllegalArgumentException("FROM " + base + " (expected: " + BASE + ")");
        }
        Unpacked.run(root, SCRIPTS.resolve("base.sh").toString(), root.toString(), System.getProperty("java.home"));
        String java = "/opt/java/openjdk";
        environment.put("JAVA_HOME", java);
        environment.put("PATH", java + "/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    }

    private void define(Map<String, String> where, String text) {
        String[] parts = text.split("=", 2);
        where.put(parts[0], substituted(parts[1]));
    }

    private String substituted(String text) {
        return VARIABLE.matcher(text).replaceAll(name -> {
            String value = environment.getOrDefault(name.group(1), arguments.get(name.group(1)));
            if (value == null) {
                throw new IllegalArgumentException(text + " (expected: ARG or ENV before)");
            }
            return Matcher.quoteReplacement(value);
        });
    }

    /** An archive is unpacked, anything else is copied. */
    private void add(String... words) throws IOException {
        Path target = root.resolve(words[1].substring(1));
        Files.createDirectories(words[1].endsWith("/") ? target : target.getParent());
        Path source = context.resolve(words[0]);
        if (words[0].endsWith(".tar.gz")) {
            Unpacked.run(target, "tar", "-xzf", source.toString());
        } else {
            Unpacked.run(root, "cp", "-R", source.toString(), target.toString());
        }
    }

    private void run(List<String> command) {
        Map<String, String> variables = new LinkedHashMap<>(arguments);
        variables.putAll(environment);
        Isolated.run("RUN", Path.of("/"), contained(List.of(), variables, command));
    }

    private static List<String> user(String text) {
        Matcher numbers = USER.matcher(text);
        if (!numbers.matches()) {
            throw new IllegalArgumentException("USER " + text + " (expected: numbers, which Kubernetes can check)");
        }
        return List.of("--user", numbers.group(1), numbers.group(2) == null ? "0" : numbers.group(2));
    }

    /** Returns the command line that runs a command in the image, as its user. */
    private List<String> contained(List<String> options, Map<String, String> variables, List<String> words) {
        List<String> line =
                new ArrayList<>(List.of(SCRIPTS.resolve("container.sh").toString()));
        line.addAll(options);
        line.addAll(user);
        line.addAll(List.of(root.toString(), System.getProperty("java.home")));
        line.addAll(environmentOf(variables));
        line.addAll(words);
        return line;
    }

    private static List<String> environmentOf(Map<String, String> variables) {
        List<String> words = new ArrayList<>(List.of("/usr/bin/env", "-i"));
        variables.forEach((name, value) -> words.add(name + "=" + value));
        return words;
    }

    /**
     * Starts the program of the image. Its root is read-only.
     *
     * @param variables added to those of the image
     * @param files what is mounted read-only: paths in the image, and files of this machine
     * @param data an empty folder for the volumes of the image, which begin with its files
     */
    Isolated start(Map<String, String> variables, Map<String, Path> files, Path data) {
        List<String> options = new ArrayList<>(List.of("--read-only"));
        files.forEach((path, file) -> options.addAll(List.of("--mount", file.toString(), path)));
        for (String volume : volumes) {
            Unpacked.run(data, "cp", "-a", root + volume, data.toString());
            Path made = data.resolve(Path.of(volume).getFileName().toString());
            options.addAll(List.of("--mount", made.toString(), volume));
        }
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(variables);
        List<String> words = new ArrayList<>(entryPoint);
        words.addAll(command);
        return Isolated.start("image", Path.of("/"), contained(options, all, words));
    }

    /** Runs the health check of the image in a running container. Returns its exit code. */
    int checkHealth(Isolated container) {
        List<String> words = new ArrayList<>(List.of("chroot"));
        words.add("--userspec=" + user.get(1) + ":" + user.get(2));
        words.add(root.toString());
        words.addAll(environmentOf(environment));
        words.addAll(healthCheck);
        return container.enter(words);
    }

    /** The ports that the image declares. */
    List<Integer> ports() {
        return ports;
    }

    /** The signal that asks the program of the image to end. */
    String stopSignal() {
        return stopSignal;
    }
}
