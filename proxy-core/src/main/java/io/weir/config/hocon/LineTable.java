package io.weir.config.hocon;

import io.weir.config.hocon.Outline.Spot;
import java.util.Arrays;

/** The conversion of offsets in a text into lines and columns. Immutable. */
final class LineTable {

    private final int[] starts;

    LineTable(String text) {
        int count = 1 + (int) text.chars().filter(c -> c == '\n').count();
        starts = new int[count];
        int line = 1;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                starts[line++] = i + 1;
            }
        }
    }

    Spot spot(int offset) {
        int found = Arrays.binarySearch(starts, offset);
        int line = found >= 0 ? found : -found - 2;
        return new Spot(line + 1, offset - starts[line] + 1);
    }
}
