// A user of ethers v6. Usage: node ethers-client.mjs http://… | ws://…
import { HDNodeWallet, JsonRpcProvider, WebSocketProvider, parseEther } from 'ethers'
import { CUSTOM, MNEMONIC, NOBODY, PANIC, REASON, REVERTING_CONTRACT, SLOTS, UNKNOWN_HASH, polled, saw, sawFailure } from './steps.mjs'

const url = process.argv[2]
const socket = url.startsWith('ws')
// Without its own cache of 250 ms, in which what was asked just before a transaction would be answered again after it.
const options = { cacheTimeout: -1 }
const provider = socket ? new WebSocketProvider(url, undefined, options) : new JsonRpcProvider(url, undefined, options)
let largestBatch = 0
if (!socket) {
  provider.on('debug', (event) => {
    if (event.action === 'sendRpcPayload' && Array.isArray(event.payload)) {
      largestBatch = Math.max(largestBatch, event.payload.length)
    }
  })
}
const wallet = HDNodeWallet.fromPhrase(MNEMONIC).connect(provider)
const receiptOf = (hash) => polled(() => provider.getTransactionReceipt(hash))
const callError = (e) => ({ code: e.code, reason: e.reason ?? null, data: e.data ?? null, name: e.revert?.name ?? null })

async function sendRaw(fields) {
  const signed = await wallet.signTransaction(await wallet.populateTransaction(fields))
  return await provider.broadcastTransaction(signed)
}

saw('chainId', (await provider.getNetwork()).chainId)
saw('balance', await provider.getBalance(wallet.address))
saw('emptyBalance', await provider.getBalance(NOBODY))
const before = await provider.getBlockNumber()
saw('blockNumber', before)

const sent = await sendRaw({ to: NOBODY, value: 12345n })
const receipt = await receiptOf(sent.hash)
saw('transfer', { hash: sent.hash, status: receipt.status, gasUsed: receipt.gasUsed, from: receipt.from, blocks: receipt.blockNumber - before })
saw('paidBalance', await provider.getBalance(NOBODY))

const block = await provider.getBlock(receipt.blockNumber, true)
const inBlock = block.prefetchedTransactions[0]
const parentKnown = (await provider.getBlock(block.parentHash)).number === block.number - 1
saw('blockWithTransactions', { hash: inBlock.hash, from: inBlock.from, value: inBlock.value, parentKnown })
saw('transaction', { blockHash: (await provider.getTransaction(sent.hash)).blockHash === block.hash })

const deployed = await receiptOf((await sendRaw({ data: REVERTING_CONTRACT })).hash)
const contract = deployed.contractAddress
saw('storage', await provider.getStorage(contract, 0))
saw('code', await provider.getCode(contract))
saw('logs', (await provider.getLogs({ address: contract, fromBlock: 0, toBlock: 'latest' })).map((log) => log.topics))

saw('gasOfTransfer', await provider.estimateGas({ from: wallet.address, to: NOBODY, value: 1n }))
await sawFailure('estimateRevert', () => provider.estimateGas({ to: contract, data: REASON }), callError)
await sawFailure('callRevert', () => provider.call({ to: contract, data: REASON }), callError)
await sawFailure('callPanic', () => provider.call({ to: contract, data: PANIC }), callError)
await sawFailure('callCustomError', () => provider.call({ to: contract, data: CUSTOM }), callError)
await sawFailure('callEmptyRevert', () => provider.call({ to: contract, data: '0x' }), callError)

const poor = HDNodeWallet.createRandom().connect(provider)
const poorFields = { to: NOBODY, value: parseEther('1'), gasLimit: 21000n, nonce: 0, gasPrice: 10n ** 10n, chainId: 31337n, type: 0 }
const poorSigned = await poor.signTransaction(poorFields)
await sawFailure('sendWithoutFunds', () => provider.broadcastTransaction(poorSigned), (e) => ({ code: e.code }))
await sawFailure('unknownMethod', () => provider.send('weir_noSuchMethod', []), (e) => ({ code: e.code, rpcCode: e.info?.error?.code ?? null }))

saw('unknownTransaction', await provider.getTransaction(UNKNOWN_HASH))
saw('unknownReceipt', await provider.getTransactionReceipt(UNKNOWN_HASH))
saw('unknownBlock', await provider.getBlock(UNKNOWN_HASH))

// Fired together: over HTTP the provider makes one batch of them, in which a revert must harm nobody else.
const together = await Promise.allSettled([
  ...Array.from({ length: SLOTS }, (_, i) => provider.getStorage(contract, i)),
  provider.call({ to: contract, data: REASON }),
  provider.getTransactionReceipt(sent.hash),
])
saw('batch', {
  slots: together.slice(0, SLOTS).map((done) => BigInt(done.value)),
  revertReason: together[SLOTS].reason?.reason ?? null,
  receiptAfterIt: together[SLOTS + 1].value?.hash === sent.hash,
  largest: largestBatch,
})
if (socket) {
  saw('subscribe', await provider.send('eth_subscribe', ['newHeads']))
}
saw('blockNumberAtEnd', (await provider.send('eth_blockNumber', [])) === '0x' + (await provider.getBlockNumber()).toString(16))
await provider.destroy()
