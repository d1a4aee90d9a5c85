package io.weir.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that begin with the same bits as one of them: {@code 10.0.0.0/8}, or a single address. Immutable.
 *
 * @param first any of them
 * @param bits how many bits are the same
 */
public record AddressBlock(InetAddress first, int bits) {

    /** What the text says, or null where it is no address and no block: one with bits behind its own is none. */
    public static @Nullable AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = address(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            return null;
        }
        int most = address.getAddress().length * Byte.SIZE;
        if (slash < 0) {
            return new AddressBlock(address, most);
        }
        String number = text.substring(slash + 1);
        if (!number.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(number) > most) {
            return null;
        }
        AddressBlock block = new AddressBlock(address, Integer.parseInt(number));
        return block.hasBitsBehind() ? null : block;
    }

    /** An address as it is written, never a name; null where it is none. */
    public static @Nullable InetAddress address(String text) {
        return text.indexOf('%') >= 0 || text.indexOf('[') >= 0
                ? null
                : NetUtil.createInetAddressFromIpAddressString(text);
    }

    /** Whether an address is in here. */
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
