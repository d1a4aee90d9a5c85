package io.weir.ethereum.transaction;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import java.util.List;

/** An account and slots of its storage that a transaction says it will touch (EIP-2930). Immutable. */
public record AccessListEntry(Address address, List<Hash32> storageKeys) {
    public AccessListEntry {
        storageKeys = List.copyOf(storageKeys);
    }

    void write(RlpWriter writer) {
        writer.nested(entry -> entry.address(address).nested(keys -> storageKeys.forEach(keys::hash)));
    }

    static AccessListEntry read(RlpReader reader) {
        RlpReader entry = reader.list();
        AccessListEntry read = new AccessListEntry(entry.address(), entry.listOf(RlpReader::hash));
        entry.end();
        return read;
    }
}
