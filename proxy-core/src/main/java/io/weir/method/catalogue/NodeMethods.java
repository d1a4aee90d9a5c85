package io.weir.method.catalogue;

import static io.weir.method.CacheClass.HEAD_VALUE;
import static io.weir.method.MethodTrait.SEARCHES;
import static io.weir.method.MethodTrait.USES_NODE_KEY;
import static io.weir.method.catalogue.MethodRow.read;
import static io.weir.method.catalogue.MethodRow.slow;
import static io.weir.method.catalogue.MethodRow.stateful;
import static io.weir.method.params.EthereumParams.DATA;
import static io.weir.method.params.EthereumParams.FILTER_ID;
import static io.weir.method.params.EthereumParams.FULL_PENDING;
import static io.weir.method.params.EthereumParams.LOG_FILTER;

import io.weir.method.ContractScope;
import io.weir.method.MethodRole;
import io.weir.method.ResultForm;
import java.util.List;
import java.util.stream.Stream;

/** The rows of the methods about the chain as a whole, about nodes, and about filters and subscriptions at nodes. Pure. */
final class NodeMethods {

    private static final int LOOKUP = 1;

    private NodeMethods() {}

    static List<MethodRow> rows() {
        return Stream.of(chain(), nodes(), pool(), filters())
                .flatMap(List::stream)
                .toList();
    }

    private static List<MethodRow> chain() {
        return List.of(
                read("eth_chainId").reaches(ContractScope.NONE).takes().as(MethodRole.CHAIN_ID),
                read("net_version")
                        .gives(ResultForm.TEXT)
                        .reaches(ContractScope.NONE)
                        .takes()
                        .cached(HEAD_VALUE),
                read("eth_blockNumber")
                        .gives(ResultForm.QUANTITY)
                        .reaches(ContractScope.NONE)
                        .takes()
                        .as(MethodRole.HEAD_NUMBER),
                fee("eth_blobBaseFee"),
                fee("eth_gasPrice"),
                fee("eth_maxPriorityFeePerGas"),
                read("eth_capabilities").reaches(ContractScope.NONE).takes(),
                read("eth_config").reaches(ContractScope.NONE).takes());
    }

    private static MethodRow fee(String name) {
        return read(name)
                .gives(ResultForm.QUANTITY)
                .reaches(ContractScope.NONE)
                .takes()
                .cached(HEAD_VALUE);
    }

    private static List<MethodRow> nodes() {
        return List.of(
                read("eth_accounts").gives(ResultForm.TEXTS).with(USES_NODE_KEY).takes(),
                read("eth_coinbase").with(USES_NODE_KEY).takes(),
                read("eth_hashrate").takes(),
                read("eth_mining").gives(ResultForm.BOOLEAN).takes(),
                read("eth_protocolVersion").reaches(ContractScope.NONE).takes(),
                read("eth_syncing").reaches(ContractScope.NONE).takes(),
                read("net_listening")
                        .gives(ResultForm.BOOLEAN)
                        .reaches(ContractScope.NONE)
                        .takes(),
                read("net_peerCount")
                        .gives(ResultForm.QUANTITY)
                        .reaches(ContractScope.NONE)
                        .takes(),
                read("web3_clientVersion")
                        .gives(ResultForm.TEXT)
                        .reaches(ContractScope.NONE)
                        .takes(),
                read("web3_sha3")
                        .gives(ResultForm.WORD)
                        .reaches(ContractScope.NONE)
                        .takes(DATA));
    }

    private static List<MethodRow> pool() {
        return List.of(
                slow("txpool_content", LOOKUP),
                slow("txpool_contentFrom", LOOKUP),
                slow("txpool_inspect", LOOKUP),
                slow("txpool_status", LOOKUP));
    }

    private static List<MethodRow> filters() {
        return List.of(
                stateful("eth_newFilter")
                        .reaches(ContractScope.LOGS)
                        .with(SEARCHES)
                        .takes(LOG_FILTER)
                        .as(MethodRole.NEW_LOG_FILTER),
                stateful("eth_newBlockFilter")
                        .reaches(ContractScope.NONE)
                        .takes()
                        .as(MethodRole.NEW_BLOCK_FILTER),
                stateful("eth_newPendingTransactionFilter").takes(FULL_PENDING).as(MethodRole.NEW_PENDING_FILTER),
                stateful("eth_getFilterChanges")
                        .reaches(ContractScope.NONE)
                        .takes(FILTER_ID)
                        .as(MethodRole.FILTER_CHANGES),
                stateful("eth_getFilterLogs")
                        .reaches(ContractScope.NONE)
                        .with(SEARCHES)
                        .takes(FILTER_ID)
                        .as(MethodRole.FILTER_LOGS),
                stateful("eth_uninstallFilter")
                        .reaches(ContractScope.NONE)
                        .takes(FILTER_ID)
                        .as(MethodRole.UNINSTALL_FILTER),
                stateful("eth_subscribe").reaches(ContractScope.SUBSCRIPTION).as(MethodRole.SUBSCRIBE),
                stateful("eth_unsubscribe").reaches(ContractScope.NONE).as(MethodRole.UNSUBSCRIBE));
    }
}
