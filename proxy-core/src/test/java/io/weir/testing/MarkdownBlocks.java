package io.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fenced blocks of a Markdown file that name their language. Immutable. */
public final class MarkdownBlocks {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");

    private final List<Block> blocks;

    /** A block's language and what is between its fences. */
    public record Block(String language, String text) {}

    private MarkdownBlocks(List<Block> blocks) {
        this.blocks = List.copyOf(blocks);
    }

    /** Reads a file. */
    public static MarkdownBlocks of(Path file) {
        try {
            List<Block> blocks = new ArrayList<>();
            Matcher matcher = BLOCK.matcher(Files.readString(file));
            while (matcher.find()) {
                blocks.add(new Block(matcher.group(1), matcher.group(2).strip()));
            }
            return new MarkdownBlocks(blocks);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The texts of the blocks of a language, in order. */
    public List<String> in(String language) {
        return blocks.stream()
                .filter(block -> block.language().equals(language))
                .map(Block::text)
                .toList();
    }
}
