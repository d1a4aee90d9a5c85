package io.weir.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block of addresses that begin with the same bits, such as {@code 10.0.0.0/8}, or a single address. Immutable.
 *
 * @param first an address of the block
 * @param bits number of common leading bits
 */
public record AddressBlock(InetAddress first, int bits) {

    /**
     * Returns the block in a text, or null if the text is not an address or a block. A block whose address has bits set
     * after the prefix is invalid.
     */
    public static @Nullable AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = address(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            return null;
        }
        int max = address.getAddress().length * Byte.SIZE;
        if (slash < 0) {
            return new AddressBlock(address, max);
        }
        String number = text.substring(slash + 1);
        if (!number.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(number) > max) {
            return null;
        }
        AddressBlock block = new AddressBlock(address, Integer.parseInt(number));
        return block.hasBitsBehind() ? null : block;
    }

    /** Returns an address from its literal form, never from a name; null if the text is not an address. */
    public static @Nullable InetAddress address(String text) {
        return text.indexOf('%') >= 0 || text.indexOf('[') >= 0
                ? null
                : NetUtil.createInetAddressFromIpAddressString(text);
    }

    public static boolean contain(List<AddressBlock> blocks, InetAddress address) {
        for (AddressBlock block : blocks) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the block contains an address. */
    public boolean contains(InetAddress address) {
        byte[] mine = first.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            if (isSet(mine, bit) != isSet(other, bit)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasBitsBehind() {
        byte[] mine = first.getAddress();
        for (int bit = bits; bit < mine.length * Byte.SIZE; bit++) {
            if (isSet(mine, bit)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSet(byte[] address, int bit) {
        return (address[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1) != 0;
    }
}
