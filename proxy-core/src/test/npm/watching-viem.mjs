// A user of viem who watches blocks and logs over WebSocket. Usage: node watching-viem.mjs ws://… CONTROL
import { createPublicClient, createWalletClient, defineChain, webSocket } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { MNEMONIC, saw } from './steps.mjs'
import { watchThroughFailovers } from './watching.mjs'

const [url, control] = process.argv.slice(2)
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const chain = defineChain({ id: 31337, name: 'anvil', nativeCurrency, rpcUrls: { default: { http: [] } } })
const transport = webSocket(url, { reconnect: false, retryCount: 0 })
const client = createPublicClient({ chain, transport, cacheTime: 0 })
const wallet = createWalletClient({ account: mnemonicToAccount(MNEMONIC), chain, transport })
const watched = { blocks: [], logs: [] }
const errors = []
const onError = (error) => errors.push(error.name)
client.watchBlockNumber({ onBlockNumber: (number) => watched.blocks.push(Number(number)), onError })
client.watchEvent({ onLogs: (logs) => watched.logs.push(...logs.map((log) => log.transactionHash)), onError })
await client.getChainId()
await watchThroughFailovers(control, watched, async (data) => {
  const hash = await wallet.sendTransaction({ data, gas: 100_000n })
  const receipt = await client.waitForTransactionReceipt({ hash, timeout: 20_000 })
  return { hash: receipt.transactionHash, block: Number(receipt.blockNumber) }
})
saw('errors', errors)
process.exit(0)
