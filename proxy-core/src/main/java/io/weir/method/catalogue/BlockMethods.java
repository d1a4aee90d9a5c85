package io.weir.method.catalogue;

import static io.weir.method.CacheClass.BLOCK;
import static io.weir.method.CacheClass.COUNT;
import static io.weir.method.CacheClass.HEADER;
import static io.weir.method.CacheClass.RECEIPTS;
import static io.weir.method.CacheClass.VALUE;
import static io.weir.method.LookupKind.BY_HASH;
import static io.weir.method.LookupKind.BY_NUMBER;
import static io.weir.method.MethodTrait.BATCHABLE;
import static io.weir.method.NullMeaning.NO_BLOCK;
import static io.weir.method.NullMeaning.NO_OBJECT;
import static io.weir.method.catalogue.MethodRow.read;
import static io.weir.method.catalogue.MethodRow.slow;
import static io.weir.method.params.EthereumParams.BLOCK_COUNT;
import static io.weir.method.params.EthereumParams.BLOCK_HASH;
import static io.weir.method.params.EthereumParams.FULL_TRANSACTIONS;
import static io.weir.method.params.EthereumParams.INDEX;
import static io.weir.method.params.EthereumParams.NUMBERED_BLOCK;
import static io.weir.method.params.EthereumParams.PERCENTILES;
import static io.weir.method.params.EthereumParams.RECEIPTS_BLOCK;

import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.ContractScope;
import io.weir.method.ProofKind;
import io.weir.method.ResultForm;
import java.util.List;
import java.util.stream.Stream;

/** The rows of the methods about blocks. Pure. */
final class BlockMethods {

    private static final int RANGE = 10;

    private BlockMethods() {}

    static List<MethodRow> rows() {
        return Stream.of(blocks(), counts(), others()).flatMap(List::stream).toList();
    }

    private static List<MethodRow> blocks() {
        return List.of(
                read("eth_getBlockByHash")
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.NONE)
                        .takes(BLOCK_HASH, FULL_TRANSACTIONS)
                        .finds(BY_HASH, NO_BLOCK)
                        .cached(BLOCK)
                        .cut(BlockField.WHOLE)
                        .provenBy(ProofKind.BLOCK),
                read("eth_getBlockByNumber")
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.NONE)
                        .takes(NUMBERED_BLOCK, FULL_TRANSACTIONS)
                        .finds(BY_NUMBER, NO_BLOCK)
                        .cached(BLOCK)
                        .cut(BlockField.WHOLE)
                        .provenBy(ProofKind.BLOCK),
                read("eth_getHeaderByHash")
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.NONE)
                        .takes(BLOCK_HASH)
                        .finds(BY_HASH, NO_BLOCK)
                        .cached(HEADER)
                        .provenBy(ProofKind.HEADER),
                read("eth_getHeaderByNumber")
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.NONE)
                        .takes(NUMBERED_BLOCK)
                        .finds(BY_NUMBER, NO_BLOCK)
                        .cached(HEADER)
                        .provenBy(ProofKind.HEADER),
                // Large, but nodes store the receipts as they answer them.
                slow("eth_getBlockReceipts", RANGE)
                        .gives(ResultForm.OBJECTS)
                        .with(BATCHABLE)
                        .takes(RECEIPTS_BLOCK)
                        .finds(BY_HASH, NO_BLOCK)
                        .cached(RECEIPTS)
                        .cut(BlockField.RECEIPTS)
                        .provenBy(ProofKind.BLOCK));
    }

    private static List<MethodRow> counts() {
        return List.of(
                read("eth_getBlockTransactionCountByHash")
                        .gives(ResultForm.QUANTITY)
                        .reaches(ContractScope.NONE)
                        .takes(BLOCK_HASH)
                        .finds(BY_HASH, NO_BLOCK)
                        .cached(COUNT)
                        .cut(BlockField.TRANSACTION_COUNT)
                        .provenBy(ProofKind.BLOCK),
                read("eth_getBlockTransactionCountByNumber")
                        .gives(ResultForm.QUANTITY)
                        .reaches(ContractScope.NONE)
                        .takes(NUMBERED_BLOCK)
                        .finds(BY_NUMBER, NO_BLOCK)
                        .cached(COUNT)
                        .cut(BlockField.TRANSACTION_COUNT)
                        .provenBy(ProofKind.BLOCK),
                read("eth_getUncleCountByBlockHash")
                        .gives(ResultForm.QUANTITY)
                        .reaches(ContractScope.NONE)
                        .takes(BLOCK_HASH)
                        .finds(BY_HASH, NO_BLOCK)
                        .cached(COUNT)
                        .cut(BlockField.UNCLE_COUNT)
                        .provenBy(ProofKind.BLOCK),
                read("eth_getUncleCountByBlockNumber")
                        .gives(ResultForm.QUANTITY)
                        .reaches(ContractScope.NONE)
                        .takes(NUMBERED_BLOCK)
                        .finds(BY_NUMBER, NO_BLOCK)
                        .cached(COUNT)
                        .cut(BlockField.UNCLE_COUNT)
                        .provenBy(ProofKind.BLOCK));
    }

    private static List<MethodRow> others() {
        return List.of(
                read("eth_getUncleByBlockHashAndIndex")
                        .gives(ResultForm.OBJECT)
                        .takes(BLOCK_HASH, INDEX)
                        .finds(BY_HASH, NO_OBJECT)
                        .cached(CacheClass.UNCLE)
                        .cut(BlockField.UNCLE)
                        .provenBy(ProofKind.BLOCK),
                read("eth_getUncleByBlockNumberAndIndex")
                        .gives(ResultForm.OBJECT)
                        .takes(NUMBERED_BLOCK, INDEX)
                        .finds(BY_NUMBER, NO_OBJECT)
                        .cached(CacheClass.UNCLE)
                        .cut(BlockField.UNCLE)
                        .provenBy(ProofKind.BLOCK),
                read("eth_feeHistory")
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.NONE)
                        .takes(BLOCK_COUNT, NUMBERED_BLOCK, PERCENTILES)
                        .cached(VALUE));
    }
}
