package io.weir.bench.mutants;

import java.nio.file.Path;

/**
 * A wrong change of a source file. Immutable.
 *
 * @param file the path from the root of the checkout
 * @param source the text of the file
 * @param kind the part of the code that is wrong
 * @param start offset of the first character that it replaces
 * @param end offset behind the last one
 */
record Mutant(Path file, String source, String kind, int start, int end, String replacement) {

    private static final String ROOT = "/src/main/java/";
    private static final int MAX_SHOWN = 200;

    /** Returns the text of the file with the change. */
    String changed() {
        return source.substring(0, start) + replacement + source.substring(end);
    }

    /** Returns the folder of the module. */
    String module() {
        return file.toString().substring(0, file.toString().indexOf(ROOT));
    }

    /** Returns the name of the outermost class. */
    String className() {
        String name = file.toString().substring(file.toString().indexOf(ROOT) + ROOT.length());
        return name.substring(0, name.lastIndexOf('.')).replace('/', '.');
    }

    /** Returns the kind, the file and the line. */
    String title() {
        long line = 1 + source.chars().limit(start).filter(c -> c == '\n').count();
        return kind + " " + file + ":" + line;
    }

    /** Returns the changed lines as they are, or with another text in place of the changed part. */
    String lines(String part) {
        int from = source.lastIndexOf('\n', start) + 1;
        String lines = source.substring(from, start) + part + source.substring(end, source.indexOf('\n', end));
        String line = lines.strip().replaceAll("\\s+", " ");
        return line.length() <= MAX_SHOWN ? line : line.substring(0, MAX_SHOWN) + " …";
    }
}
