package io.weir.method.catalogue;

import static io.weir.method.CacheClass.COUNT;
import static io.weir.method.CacheClass.RECEIPT;
import static io.weir.method.CacheClass.TRANSACTION;
import static io.weir.method.LookupKind.BY_HASH;
import static io.weir.method.LookupKind.BY_NUMBER;
import static io.weir.method.LookupKind.OF_TRANSACTION;
import static io.weir.method.MethodTrait.NOTIFIABLE;
import static io.weir.method.MethodTrait.USES_NODE_KEY;
import static io.weir.method.MethodTrait.WRITES;
import static io.weir.method.NullMeaning.NO_OBJECT;
import static io.weir.method.catalogue.MethodRow.foreign;
import static io.weir.method.catalogue.MethodRow.read;
import static io.weir.method.catalogue.MethodRow.stateful;
import static io.weir.method.params.EthereumParams.ADDRESS;
import static io.weir.method.params.EthereumParams.ANYTHING;
import static io.weir.method.params.EthereumParams.BLOCK_HASH;
import static io.weir.method.params.EthereumParams.DATA;
import static io.weir.method.params.EthereumParams.INDEX;
import static io.weir.method.params.EthereumParams.NONCE;
import static io.weir.method.params.EthereumParams.NUMBERED_BLOCK;
import static io.weir.method.params.EthereumParams.OPTIONAL_ANYTHING;
import static io.weir.method.params.EthereumParams.TRANSACTION_HASH;
import static io.weir.method.params.EthereumParams.UNSIGNED_TRANSACTION;

import io.weir.method.BlockField;
import io.weir.method.ContractScope;
import io.weir.method.LookupKind;
import io.weir.method.MethodRole;
import io.weir.method.ProofKind;
import io.weir.method.ResultForm;
import io.weir.method.params.Parameter;
import java.util.List;
import java.util.stream.Stream;

/** The rows of the methods that look up, sign or send transactions. Pure. */
final class TransactionMethods {

    private static final int EXECUTION = 5;

    private TransactionMethods() {}

    static List<MethodRow> rows() {
        return Stream.of(lookups(), raw(), sent()).flatMap(List::stream).toList();
    }

    private static List<MethodRow> lookups() {
        return List.of(
                read("eth_getTransactionByHash")
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.NONE)
                        .takes(TRANSACTION_HASH)
                        .finds(OF_TRANSACTION, NO_OBJECT)
                        .cached(TRANSACTION)
                        .cut(BlockField.TRANSACTION)
                        .provenBy(ProofKind.LOOKUP),
                inBlock("eth_getTransactionByBlockHashAndIndex", BLOCK_HASH, BY_HASH),
                inBlock("eth_getTransactionByBlockNumberAndIndex", NUMBERED_BLOCK, BY_NUMBER),
                read("eth_getTransactionBySenderAndNonce")
                        .gives(ResultForm.OBJECT)
                        .takes(ADDRESS, NONCE)
                        .finds(BY_NUMBER, NO_OBJECT),
                read("eth_getTransactionReceipt")
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.NONE)
                        .takes(TRANSACTION_HASH)
                        .finds(OF_TRANSACTION, NO_OBJECT)
                        .cached(RECEIPT)
                        .cut(BlockField.RECEIPT)
                        .provenBy(ProofKind.LOOKUP));
    }

    private static List<MethodRow> raw() {
        return List.of(
                // Never cached: a node may have the bytes of a pending transaction, and forget them.
                read("eth_getRawTransactionByHash")
                        .gives(ResultForm.DATA)
                        .takes(TRANSACTION_HASH)
                        .finds(OF_TRANSACTION, NO_OBJECT),
                rawInBlock("eth_getRawTransactionByBlockHashAndIndex", BLOCK_HASH, BY_HASH),
                rawInBlock("eth_getRawTransactionByBlockNumberAndIndex", NUMBERED_BLOCK, BY_NUMBER));
    }

    private static MethodRow inBlock(String name, Parameter block, LookupKind by) {
        return read(name)
                .gives(ResultForm.OBJECT)
                .takes(block, INDEX)
                .finds(by, NO_OBJECT)
                .cached(TRANSACTION)
                .cut(BlockField.TRANSACTION)
                .provenBy(ProofKind.BLOCK);
    }

    private static MethodRow rawInBlock(String name, Parameter block, LookupKind by) {
        return read(name)
                .gives(ResultForm.DATA)
                .takes(block, INDEX)
                .finds(by, NO_OBJECT)
                .cached(COUNT)
                .provenBy(ProofKind.RAW_TRANSACTION);
    }

    private static List<MethodRow> sent() {
        return List.of(
                stateful("eth_sendRawTransaction", EXECUTION)
                        .reaches(ContractScope.SIGNED)
                        .with(WRITES, NOTIFIABLE)
                        .takes(DATA)
                        .as(MethodRole.SEND_RAW),
                stateful("eth_sendRawTransactionSync")
                        .reaches(ContractScope.SIGNED)
                        .with(WRITES)
                        .takes(DATA, OPTIONAL_ANYTHING),
                foreign("eth_sendRawTransactionConditional").with(WRITES),
                stateful("eth_sendTransaction", EXECUTION)
                        .reaches(ContractScope.CALL)
                        .with(WRITES, NOTIFIABLE, USES_NODE_KEY)
                        .takes(UNSIGNED_TRANSACTION),
                stateful("eth_sign").with(USES_NODE_KEY).takes(ADDRESS, DATA),
                stateful("eth_signTransaction").with(USES_NODE_KEY).takes(UNSIGNED_TRANSACTION),
                stateful("eth_signTypedData_v4").with(USES_NODE_KEY).takes(ADDRESS, ANYTHING),
                foreign("eth_resend").with(USES_NODE_KEY));
    }
}
