package io.weir.wallet.testing;

import io.weir.l2.Felt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a scripted node knows: accounts, their nonces, and transactions on their way through the blocks. Confined to its node's lock. */
final class NodeLedger {
    static final List<String> STAGES = List.of("RECEIVED", "PRE_CONFIRMED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1");

    /** An account contract. */
    record Contract(Felt classHash, Felt publicKey) {}

    /** A transaction and how far it has come. */
    static final class Entry {
        final Felt hash;
        final Felt sender;
        final JsonNode body;
        final @Nullable Contract deploys;
        int stage;

        Entry(Felt hash, Felt sender, JsonNode body, @Nullable Contract deploys) {
            this.hash = hash;
            this.sender = sender;
            this.body = body;
            this.deploys = deploys;
        }
    }

    final Map<Felt, Entry> entries = new LinkedHashMap<>();
    private final Map<Felt, Contract> contracts = new HashMap<>();

    void clear() {
        entries.clear();
        contracts.clear();
    }

    void addContract(Felt address, Felt classHash, Felt publicKey) {
        contracts.put(address, new Contract(classHash, publicKey));
    }

    /** The contract as of the newest block. */
    @Nullable
    Contract confirmed(Felt address) {
        return at(address, 2);
    }

    /** The contract where transactions of the mempool count too. */
    @Nullable
    Contract any(Felt address) {
        return at(address, 0);
    }

    private @Nullable Contract at(Felt address, int leastStage) {
        for (Entry entry : entries.values()) {
            if (entry.deploys != null && entry.sender.equals(address) && entry.stage >= leastStage) {
                return entry.deploys;
            }
        }
        return contracts.get(address);
    }

    /** How many transactions of a sender have come so far at least. */
    long nonce(Felt sender, int leastStage) {
        return entries.values().stream()
                .filter(entry -> entry.sender.equals(sender) && entry.stage >= leastStage)
                .count();
    }

    void add(Entry entry) {
        entries.put(entry.hash, entry);
    }

    /** The next block: everything comes one stage further. */
    void advance() {
        entries.values().forEach(entry -> entry.stage = Math.min(entry.stage + 1, STAGES.size() - 1));
    }

    List<Long> noncesOf(Felt sender) {
        List<Long> nonces = new ArrayList<>();
        entries.values().stream()
                .filter(entry -> entry.sender.equals(sender))
                .forEach(
                        entry -> nonces.add(Long.decode(entry.body.path("nonce").stringValue())));
        return nonces;
    }
}
