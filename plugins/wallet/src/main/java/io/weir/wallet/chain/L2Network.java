package io.weir.wallet.chain;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;

/**
 * A network of the layer-2 kind. Immutable.
 *
 * @param name its name in the configuration
 */
public record L2Network(String name, Felt chainId) {

    /** The chain id as people write it, such as {@code SN_SEPOLIA}; as hexadecimal where it is no text. */
    public String chainIdText() {
        String text = ShortString.decode(chainId);
        boolean readable = !text.isEmpty() && text.chars().allMatch(letter -> letter > 32 && letter < 127);
        return readable ? text : chainId.toHex();
    }
}
