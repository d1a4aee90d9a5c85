// A user of viem. Usage: node viem-client.mjs http://… | ws://…
import { BaseError, createPublicClient, createWalletClient, decodeErrorResult, defineChain, http, parseAbi, webSocket } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { CUSTOM, MNEMONIC, NOBODY, PANIC, REASON, REVERTING_CONTRACT, SLOTS, UNKNOWN_HASH, saw, sawFailure } from './steps.mjs'

const url = process.argv[2]
const socket = url.startsWith('ws')
let largestBatch = 0
const transport = socket
  ? webSocket(url, { keepAlive: { interval: 50 }, reconnect: false, retryCount: 0 })
  : http(url, {
      batch: { batchSize: 100 },
      retryCount: 0,
      onFetchRequest: async (request) => {
        const body = JSON.parse(await request.clone().text())
        if (Array.isArray(body)) largestBatch = Math.max(largestBatch, body.length)
      },
    })
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const chain = defineChain({ id: 31337, name: 'anvil', nativeCurrency, rpcUrls: { default: { http: [] } } })
const client = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 50 })
const account = mnemonicToAccount(MNEMONIC)
const wallet = createWalletClient({ account, chain, transport })
const errors = parseAbi(['error InsufficientBalance(uint256 available, uint256 required)'])

/** What the error's chain of causes says: the names in it, the node's code and the node's data. */
function causes(error) {
  const seen = { names: [], code: null, data: null, decoded: null }
  for (let e = error; e; e = e.cause) {
    seen.names.push(e.name)
    seen.code ??= typeof e.code === 'number' ? e.code : null
    seen.data ??= typeof e.data === 'string' ? e.data : null
  }
  if (seen.data?.startsWith(CUSTOM.slice(0, 10))) seen.decoded = decodeErrorResult({ abi: errors, data: seen.data })
  return { ...seen, ofViem: error instanceof BaseError, shortMessage: error.shortMessage ?? null }
}

saw('chainId', await client.getChainId())
saw('balance', await client.getBalance({ address: account.address }))
saw('emptyBalance', await client.getBalance({ address: NOBODY }))
const before = await client.getBlockNumber()
saw('blockNumber', before)

const request = await wallet.prepareTransactionRequest({ to: NOBODY, value: 12345n })
const hash = await client.sendRawTransaction({ serializedTransaction: await wallet.signTransaction(request) })
const receipt = await client.waitForTransactionReceipt({ hash, timeout: 10_000 })
saw('transfer', { hash, status: receipt.status, gasUsed: receipt.gasUsed, from: receipt.from, blocks: receipt.blockNumber - before })
saw('paidBalance', await client.getBalance({ address: NOBODY }))

const block = await client.getBlock({ blockNumber: receipt.blockNumber, includeTransactions: true })
const inBlock = block.transactions[0]
const parent = await client.getBlock({ blockHash: block.parentHash })
saw('blockWithTransactions', { hash: inBlock.hash, from: inBlock.from, value: inBlock.value, parentKnown: parent.number === block.number - 1n })
saw('transaction', { blockHash: (await client.getTransaction({ hash })).blockHash === block.hash })
saw('transactionByIndex', (await client.getTransaction({ blockNumber: receipt.blockNumber, index: 0 })).hash === hash)
saw('receiptInBlock', { transactions: await client.getBlockTransactionCount({ blockHash: block.hash }) })

const deployed = await client.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ data: REVERTING_CONTRACT }), timeout: 10_000 })
const contract = deployed.contractAddress
saw('storage', await client.getStorageAt({ address: contract, slot: '0x0' }))
saw('code', await client.getCode({ address: contract }))
saw('logs', (await client.getLogs({ address: contract, fromBlock: 0n })).map((log) => log.topics))
saw('feeHistory', (await client.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })).baseFeePerGas.length)

saw('gasOfTransfer', await client.estimateGas({ account, to: NOBODY, value: 1n }))
await sawFailure('estimateRevert', () => client.estimateGas({ account, to: contract, data: REASON }), causes)
await sawFailure('callRevert', () => client.call({ to: contract, data: REASON }), causes)
await sawFailure('callPanic', () => client.call({ to: contract, data: PANIC }), causes)
await sawFailure('callCustomError', () => client.call({ to: contract, data: CUSTOM }), causes)
await sawFailure('callEmptyRevert', () => client.call({ to: contract, data: '0x' }), causes)
await sawFailure('unknownMethod', () => client.request({ method: 'weir_noSuchMethod', params: [] }), causes)
await sawFailure('unknownTransaction', () => client.getTransaction({ hash: UNKNOWN_HASH }), causes)
await sawFailure('unknownReceipt', () => client.getTransactionReceipt({ hash: UNKNOWN_HASH }), causes)
await sawFailure('unknownBlock', () => client.getBlock({ blockHash: UNKNOWN_HASH }), causes)

// Fired together, each different, as viem joins the same questions: over HTTP the transport makes one batch of them, in
// which a revert must harm nobody else.
const together = await Promise.allSettled([
  ...Array.from({ length: SLOTS }, (_, i) => client.getStorageAt({ address: contract, slot: `0x${i.toString(16)}` })),
  client.call({ to: contract, data: REASON }),
  client.getTransactionReceipt({ hash }),
])
saw('batch', {
  slots: together.slice(0, SLOTS).map((done) => BigInt(done.value)),
  revertCode: together[SLOTS].reason ? causes(together[SLOTS].reason).code : null,
  receiptAfterIt: together[SLOTS + 1].value?.transactionHash === hash,
  largest: largestBatch,
})

if (socket) {
  saw('subscribe', await client.request({ method: 'eth_subscribe', params: ['newHeads'] }))
  const connection = await client.transport.getRpcClient()
  const keepAliveAnswers = await new Promise((resolve, reject) => {
    let count = 0
    connection.socket.addEventListener('message', ({ data }) => {
      if (JSON.parse(data).id === null && ++count === 3) resolve(count)
    })
    connection.socket.addEventListener('close', () => reject(new Error('the socket was closed')))
    setTimeout(() => reject(new Error('no three answers to keep-alive messages in 10 s')), 10_000).unref()
  })
  // What viem sent before 2.47: the same without an id, a notification.
  connection.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'net_version', params: [] }))
  saw('keepAlive', { answers: keepAliveAnswers, openAfter: (await client.getBlockNumber()) > 0n && connection.socket.readyState === 1 })
  connection.close()
} else {
  saw('blockNumberAtEnd', (await client.getBlockNumber()) > before)
}
