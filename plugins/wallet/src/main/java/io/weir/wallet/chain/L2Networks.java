package io.weir.wallet.chain;

import io.weir.api.Caller;
import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import java.util.Optional;

/** The networks of the layer-2 kind, by their chain ids. Thread-safe. */
public record L2Networks(ChainClient chain, String kind) {
    /** The code of a wallet's refusal to a caller without the right (EIP-1193). */
    public static final int UNAUTHORIZED = 4100;

    /**
     * The network that a caller means.
     *
     * @param path where the chain id stands in the call
     * @throws RpcException when it is no chain id, when no network has it, or when the caller may not use that network
     */
    public L2Network find(String chainId, String path, Caller caller) {
        Felt id;
        try {
            id = parse(chainId);
        } catch (IllegalArgumentException e) {
            throw new RpcException(
                    RpcException.INVALID_PARAMS, path + ": " + e.getMessage() + " (expected: a chain id)");
        }
        L2Network network = ofChain(id)
                .orElseThrow(() -> new RpcException(
                        RpcException.INVALID_PARAMS,
                        path + ": " + new L2Network("", id).chainIdText()
                                + " (expected: the chain id of a configured network)"));
        if (!caller.mayUseNetwork(network.name())) {
            throw new RpcException(
                    UNAUTHORIZED, path + ": " + network.chainIdText() + " (expected: a network that the key may use)");
        }
        return network;
    }

    /** The network of a chain, or nothing where none is configured any more. */
    public Optional<L2Network> ofChain(Felt chainId) {
        String name = chain.networkOfChain(kind, chainId.toHex());
        return Optional.ofNullable(name).map(found -> new L2Network(found, chainId));
    }

    /**
     * A chain id as text, hexadecimal or decimal, as one number.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static Felt parse(String chainId) {
        boolean number = !chainId.isEmpty() && Character.isDigit(chainId.charAt(0));
        return number ? Felt.parse(chainId) : ShortString.encode(chainId);
    }
}
