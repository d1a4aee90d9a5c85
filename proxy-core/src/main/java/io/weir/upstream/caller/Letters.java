package io.weir.upstream.caller;

/** Characters in the form for comparing a node's text with its caller's: lower case, one kind of space. Pure. */
public final class Letters {

    /** Stands for all characters that occur in no phrase of the error table. */
    static final int OTHER = 0;

    private Letters() {}

    /** Returns the character to compare; {@link #OTHER} if no phrase can contain it. */
    static int fold(int c) {
        if (c >= 'A' && c <= 'Z') {
            return c + ('a' - 'A');
        }
        if (c > ' ' && c < 0x7f) {
            return c;
        }
        return switch (c) {
            // Lower or upper case turns these into ASCII letters: the Kelvin sign, the long s, the dotted and the
            // dotless i.
            case 0x212a -> 'k';
            case 0x17f -> 's';
            case 0x130, 0x131 -> 'i';
            default -> c <= ' ' || Character.isWhitespace(c) || Character.isSpaceChar(c) ? ' ' : OTHER;
        };
    }

    /** Returns a node's text with each character folded and each run of white space as one space. Other characters stay. */
    public static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int letter = fold(c);
            if (letter != ' ' || folded.length() == 0 || folded.charAt(folded.length() - 1) != ' ') {
                folded.append(letter == OTHER ? c : (char) letter);
            }
        }
        return folded.toString();
    }
}
