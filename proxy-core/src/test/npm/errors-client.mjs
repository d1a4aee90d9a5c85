// The errors that users of viem and ethers see over HTTP, and how many requests each call makes.
// Usage: node errors-client.mjs http://… [method params [viem|ethers]]
// With a method, it alone is called, with the retries that the clients have by default; with a client, by that one only.
import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { FetchRequest, HDNodeWallet, JsonRpcProvider } from 'ethers'
import { MNEMONIC, NOBODY, REASON, REVERTING_CONTRACT, polled, saw, sawFailure } from './steps.mjs'

const [url, onlyMethod, onlyParams, onlyClient] = process.argv.slice(2)
let requests = 0

const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const chain = defineChain({ id: 31337, name: 'anvil', nativeCurrency, rpcUrls: { default: { http: [] } } })
const transport = http(url, { retryDelay: 1, onFetchRequest: () => { requests++ } })
const client = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 50 })
const wallet = createWalletClient({ account: mnemonicToAccount(MNEMONIC), chain, transport })

const fetched = new FetchRequest(url)
fetched.setThrottleParams({ slotInterval: 1 })
const getUrl = FetchRequest.createGetUrlFunc()
fetched.getUrlFunc = (request, signal) => {
  requests++
  return getUrl(request, signal)
}
const provider = new JsonRpcProvider(fetched, 31337, { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 })

/** The names in viem's chain of causes, and the code and the message of the node. */
function ofViem(error) {
  const seen = { names: [], code: null, details: null }
  for (let e = error; e; e = e.cause) {
    seen.names.push(e.name)
    seen.code ??= typeof e.code === 'number' ? e.code : null
    seen.details ??= e.details ?? null
  }
  return seen
}

function ofEthers(error) {
  const said = error.error ?? error.info?.error
  return { code: error.code, rpcCode: said?.code ?? null, details: said?.message ?? null }
}

async function viem(step, method, params) {
  requests = 0
  await sawFailure('viem ' + step, () => client.request({ method, params }), (e) => ({ ...ofViem(e), requests }))
}

async function ethers(step, method, params) {
  requests = 0
  await sawFailure('ethers ' + step, () => provider.send(method, params), (e) => ({ ...ofEthers(e), requests }))
}

async function both(step, method, params) {
  await viem(step, method, params)
  await ethers(step, method, params)
}

if (onlyMethod) {
  const only = { viem, ethers }[onlyClient] ?? both
  await only('only', onlyMethod, JSON.parse(onlyParams))
} else {
  const request = { to: NOBODY, value: 1n, nonce: 0, gas: 21000n, gasPrice: 10n ** 10n }
  const signed = await wallet.signTransaction(request)
  await polled(() => client.request({ method: 'eth_sendRawTransaction', params: [signed] }))
  const deployed = await client.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ data: REVERTING_CONTRACT }), timeout: 10_000 })
  const poor = HDNodeWallet.createRandom()
  const fields = { to: NOBODY, value: 1n, gasLimit: 21000n, nonce: 0, gasPrice: 10n ** 10n, chainId: 31337n, type: 0 }
  const used = await wallet.signTransaction({ ...request, value: 2n })

  await both('wallet', 'wallet_watchAsset', {})
  await both('capabilities', 'wallet_getCapabilities', [])
  await both('unknown', 'weir_noSuchMethod', [])
  await both('accounts', 'eth_accounts', [])
  await both('sendTransaction', 'eth_sendTransaction', [{ from: NOBODY, to: NOBODY }])
  await both('sign', 'eth_sign', [NOBODY, '0x00'])
  await both('typedData', 'eth_signTypedData_v4', [NOBODY, {}])
  await both('subscribe', 'eth_subscribe', ['newHeads'])
  await both('noAddress', 'eth_getBalance', ['0x12', 'latest'])
  await both('noParams', 'eth_getBalance', [])
  await both('noTag', 'eth_getBlockByNumber', ['tomorrow', false])
  await both('future', 'eth_getBlockByNumber', ['0xffffff', false])
  await both('futureState', 'eth_getBalance', [NOBODY, '0xffffff'])
  await both('revert', 'eth_call', [{ to: deployed.contractAddress, data: REASON }, 'latest'])
  await both('estimateRevert', 'eth_estimateGas', [{ to: deployed.contractAddress, data: REASON }])
  await both('usedNonce', 'eth_sendRawTransaction', [used])
  await both('noFunds', 'eth_sendRawTransaction', [await poor.signTransaction(fields)])
  await both('noTransaction', 'eth_sendRawTransaction', ['0x1234'])
  await both('badFilter', 'eth_getFilterChanges', ['0x1'])
  await both('range', 'eth_getLogs', [{ fromBlock: '0x5', toBlock: '0x1' }])
}
await provider.destroy()
