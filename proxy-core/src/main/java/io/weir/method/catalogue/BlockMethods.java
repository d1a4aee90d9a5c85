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
import io.weir.method.LookupKind;
import io.weir.method.ProofKind;
import io.weir.method.ResultForm;
import io.weir.method.params.Parameter;
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
                block("eth_getBlockByHash").takes(BLOCK_HASH, FULL_TRANSACTIONS).finds(BY_HASH, NO_BLOCK),
                block("eth_getBlockByNumber")
                        .takes(NUMBERED_BLOCK, FULL_TRANSACTIONS)
                        .finds(BY_NUMBER, NO_BLOCK),
                header("eth_getHeaderByHash", BLOCK_HASH, BY_HASH),
                header("eth_getHeaderByNumber", NUMBERED_BLOCK, BY_NUMBER),
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

    private static MethodRow block(String name) {
        return read(name)
                .gives(ResultForm.OBJECT)
                .reaches(ContractScope.NONE)
                .cached(BLOCK)
                .cut(BlockField.WHOLE)
                .provenBy(ProofKind.BLOCK);
    }

    private static MethodRow header(String name, Parameter block, LookupKind by) {
        return read(name)
                .gives(ResultForm.OBJECT)
                .reaches(ContractScope.NONE)
                .takes(block)
                .finds(by, NO_BLOCK)
                .cached(HEADER)
                .provenBy(ProofKind.HEADER);
    }

    private static List<MethodRow> counts() {
        return List.of(
                count("eth_getBlockTransactionCountByHash", BlockField.TRANSACTION_COUNT, BLOCK_HASH, BY_HASH),
                count("eth_getBlockTransactionCountByNumber", BlockField.TRANSACTION_COUNT, NUMBERED_BLOCK, BY_NUMBER),
                count("eth_getUncleCountByBlockHash", BlockField.UNCLE_COUNT, BLOCK_HASH, BY_HASH),
                count("eth_getUncleCountByBlockNumber", BlockField.UNCLE_COUNT, NUMBERED_BLOCK, BY_NUMBER));
    }

    private static MethodRow count(String name, BlockField counted, Parameter block, LookupKind by) {
        return read(name)
                .gives(ResultForm.QUANTITY)
                .reaches(ContractScope.NONE)
                .takes(block)
                .finds(by, NO_BLOCK)
                .cached(COUNT)
                .cut(counted)
                .provenBy(ProofKind.BLOCK);
    }

    private static List<MethodRow> others() {
        return List.of(
                uncle("eth_getUncleByBlockHashAndIndex", BLOCK_HASH, BY_HASH),
                uncle("eth_getUncleByBlockNumberAndIndex", NUMBERED_BLOCK, BY_NUMBER),
                read("eth_feeHistory")
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.NONE)
                        .takes(BLOCK_COUNT, NUMBERED_BLOCK, PERCENTILES)
                        .cached(VALUE));
    }

    private static MethodRow uncle(String name, Parameter block, LookupKind by) {
        return read(name)
                .gives(ResultForm.OBJECT)
                .takes(block, INDEX)
                .finds(by, NO_OBJECT)
                .cached(CacheClass.UNCLE)
                .cut(BlockField.UNCLE)
                .provenBy(ProofKind.BLOCK);
    }
}
