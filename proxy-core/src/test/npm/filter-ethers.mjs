// A user of ethers v6 who watches logs by a filter. Usage: node filter-ethers.mjs http://…
import { HDNodeWallet, JsonRpcProvider } from 'ethers'
import { MNEMONIC, polled, saw, sawFailure } from './steps.mjs'

const provider = new JsonRpcProvider(process.argv[2], undefined, { cacheTimeout: -1, batchMaxCount: 1 })
provider.pollingInterval = 50
const sent = new Map()
const answered = []
provider.on('debug', (event) => {
  if (event.action === 'sendRpcPayload') sent.set(event.payload.id, event.payload.method)
  if (event.action === 'receiveRpcResult') event.result.forEach(({ id }) => answered.push(sent.get(id)))
})
const wallet = HDNodeWallet.fromPhrase(MNEMONIC).connect(provider)
const seen = []
const wanted = { topics: ['0x' + '1'.padStart(64, '0')] }
await provider.on(wanted, (log) => seen.push(log.topics[0]))
// The first poll only makes the filter; what happens after it is a change.
await polled(async () => (answered.includes('eth_getFilterChanges') ? true : null))
const deployment = await provider.broadcastTransaction(
  await wallet.signTransaction(await wallet.populateTransaction({ data: '0x60015f5fa100' })),
)
await polled(async () => (seen.length > 0 ? true : null))
saw('seen', seen)
saw('again', (await provider.broadcastTransaction(await wallet.signTransaction({ ...sentFields(deployment) }))).hash === deployment.hash)
await provider.removeAllListeners(wanted)
const rpcError = (e) => ({ code: e.code, rpcCode: e.error?.code ?? null, message: e.error?.message ?? null })
await sawFailure('lost', () => provider.send('eth_getFilterChanges', ['0x1']), rpcError)
saw('uninstalled', await polled(async () => (answered.includes('eth_uninstallFilter') ? true : null)))
await provider.destroy()

function sentFields({ type, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, chainId, data, value }) {
  return { type, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, chainId, data, value }
}
