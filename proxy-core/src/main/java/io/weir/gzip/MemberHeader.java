package io.weir.gzip;

import java.util.zip.CRC32;

/**
 * A parser that skips the header of a gzip member and uses none of its values (RFC 1952). Confined to its event loop.
 */
final class MemberHeader {

    private static final int FIXED_BYTES = 10;
    private static final int MAGIC_1 = 0x1f;
    private static final int MAGIC_2 = 0x8b;
    private static final int DEFLATE = 8;
    private static final int HAS_CRC = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;
    private static final int RESERVED = 0xe0;

    private final CRC32 crc = new CRC32();
    private Part part = Part.FIXED;
    private int at;
    private int flags;
    private int number;
    private int checksumRest;

    /** The parts of the header, in order. */
    private enum Part {
        FIXED(0),
        EXTRA_LENGTH(HAS_EXTRA),
        EXTRA(HAS_EXTRA),
        NAME(HAS_NAME),
        COMMENT(HAS_COMMENT),
        CHECKSUM(HAS_CRC),
        END(0);

        private final int flag;

        Part(int flag) {
            this.flag = flag;
        }
    }

    /** Accepts the next byte. Returns false if no member has such a header. */
    boolean take(int b) {
        int expected = (int) crc.getValue() & 0xffff;
        crc.update(b);
        switch (part) {
            case FIXED -> {
                return takeFixed(b);
            }
            case EXTRA_LENGTH -> {
                takeNumber(b);
                // An empty extra field has no bytes.
                if (at == 0 && number == 0) {
                    nextPart();
                }
            }
            case EXTRA -> {
                if (++at == number) {
                    nextPart();
                }
            }
            case NAME, COMMENT -> {
                if (b == 0) {
                    nextPart();
                }
            }
            case CHECKSUM -> {
                return takeChecksum(b, expected);
            }
            default -> throw new IllegalStateException("gzip header: at its end (expected: before)");
        }
        return true;
    }

    private boolean takeFixed(int b) {
        boolean right = switch (at) {
            case 0 -> b == MAGIC_1;
            case 1 -> b == MAGIC_2;
            case 2 -> b == DEFLATE;
            case 3 -> (b & RESERVED) == 0;
            default -> true;
        };
        if (at == 3) {
            flags = b;
        }
        if (++at == FIXED_BYTES) {
            nextPart();
        }
        return right;
    }

    /** Accepts one of two bytes, the lower one first. */
    private void takeNumber(int b) {
        number = at == 0 ? b : number | b << Byte.SIZE;
        if (++at == 2) {
            nextPart();
        }
    }

    private boolean takeChecksum(int b, int expected) {
        boolean right = b == (at == 0 ? expected & 0xff : checksumRest);
        checksumRest = expected >>> Byte.SIZE;
        takeNumber(b);
        return right;
    }

    @SuppressWarnings("EnumOrdinal") // Declared in the order of the header.
    private void nextPart() {
        at = 0;
        do {
            part = Part.values()[part.ordinal() + 1];
        } while (part != Part.END && (flags & part.flag) == 0);
    }

    boolean isWhole() {
        return part == Part.END;
    }

    void reset() {
        crc.reset();
        part = Part.FIXED;
        at = 0;
        flags = 0;
    }
}
