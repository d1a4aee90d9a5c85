package io.weir.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** The instructions of a Dockerfile in their order. Immutable. */
record Dockerfile(List<Instruction> instructions) {

    private static final Pattern INSTRUCTION = Pattern.compile("(\\w+)\\s+(.*)");
    private static final Pattern OPTION = Pattern.compile("--[a-z-]+=\\S+\\s+");

    /**
     * An instruction.
     *
     * @param name in capitals
     * @param text the rest of the line, with the lines that continue it
     */
    record Instruction(String name, String text) {

        /** Returns the words of a command: those of its JSON form, else a shell with the text. */
        List<String> command() {
            return text.startsWith("[")
                    ? List.of(JsonMapper.shared().readValue(text, String[].class))
                    : List.of("/bin/sh", "-c", text);
        }

        /** Returns the command of a health check. */
        List<String> healthCheck() {
            String rest = text;
            for (Matcher option = OPTION.matcher(rest); option.lookingAt(); option = OPTION.matcher(rest)) {
                rest = rest.substring(option.end());
            }
            if (!rest.startsWith("CMD ")) {
                throw new IllegalArgumentException("HEALTHCHECK " + text + " (expected: options, then CMD)");
            }
            return new Instruction("CMD", rest.substring("CMD ".length()).strip()).command();
        }
    }

    static Dockerfile read(Path file) throws IOException {
        List<Instruction> instructions = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                boolean goesOn = line.endsWith("\\");
                open.append(goesOn ? line.substring(0, line.length() - 1) : line);
                if (!goesOn) {
                    instructions.add(instruction(open.toString().strip()));
                    open.setLength(0);
                }
            }
        }
        return new Dockerfile(List.copyOf(instructions));
    }

    private static Instruction instruction(String line) {
        Matcher parts = INSTRUCTION.matcher(line);
        if (!parts.matches()) {
            throw new IllegalArgumentException(line + " (expected: an instruction and its text)");
        }
        return new Instruction(parts.group(1).toUpperCase(Locale.ROOT), parts.group(2));
    }
}
