package io.weir.wallet.chain;

import io.weir.api.setting.Block;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;

/** The patterns of texts in settings that stand for numbers of the chain. Each text that matches has a felt. Stateless. */
public final class FeltPattern {

    /** An address, which is below 2^251. */
    public static final String ADDRESS = "0x0?[0-7]?[0-9a-fA-F]{1,62}";

    public static final String ADDRESS_RULE = "0x and the hexadecimal digits of an address";

    /** A number. */
    public static final String NUMBER =
            ADDRESS + "|[0-9]{1,75}|[12][0-9]{75}|3[0-5][0-9]{74}|36(0[0-9]|1[0-7])[0-9]{72}";

    public static final String NUMBER_RULE = "a decimal number, or 0x and hexadecimal digits";

    /** The id of a chain: a number, or a text of up to 31 characters that {@link L2Networks#parse} turns into one. */
    public static final String CHAIN_ID = NUMBER + "|[A-Za-z_][!-~]{0,30}";

    public static final String CHAIN_ID_RULE = "a chain id, such as SN_SEPOLIA";

    private FeltPattern() {}

    /** Reports an address that two entries of a block have, in different spellings. */
    public static void checkAddresses(Block block, Set<String> names) {
        Set<BigInteger> addresses = new HashSet<>();
        for (String name : names) {
            if (name.matches(ADDRESS) && !addresses.add(new BigInteger(name.substring(2), 16))) {
                block.lookInto(name).wrongName("one entry for each token");
            }
        }
    }
}
