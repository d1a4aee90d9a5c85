package io.weir.bench.subscription.chain;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import java.util.List;
import java.util.stream.Stream;

/** The addresses and topics that occur in logs of the chain. */
public final class Values {

    /** The contracts. */
    public static final List<Address> TOKENS =
            hashes("token", 8).map(Address::ofHash).toList();

    /** The first topics. */
    public static final List<Hash32> EVENTS = hashes("event", 4).toList();

    /** The other topics. */
    public static final List<Hash32> PARTIES = hashes("party", 12).toList();

    private Values() {}

    private static Stream<Hash32> hashes(String name, int count) {
        return Stream.iterate(0, i -> i < count, i -> i + 1).map(i -> Hash32.keccak((name + i).getBytes(US_ASCII)));
    }
}
