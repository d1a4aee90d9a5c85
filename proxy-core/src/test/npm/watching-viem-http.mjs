// A user of viem who watches blocks and logs by filters over HTTP. Usage: node watching-viem-http.mjs http://… CONTROL
import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { MNEMONIC, saw } from './steps.mjs'
import { watchThroughFailovers } from './watching.mjs'

const [url, control] = process.argv.slice(2)
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const chain = defineChain({ id: 31337, name: 'anvil', nativeCurrency, rpcUrls: { default: { http: [] } } })
const transport = http(url, { retryCount: 0 })
const client = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 50 })
const wallet = createWalletClient({ account: mnemonicToAccount(MNEMONIC), chain, transport })
const watched = { blocks: [], logs: [] }
const errors = []
const failed = (error) => errors.push(`${error.name}: ${error.details ?? error.message}`)
client.watchEvent({
  onLogs: (logs) => watched.logs.push(...logs.map((log) => log.transactionHash)),
  onError: failed,
  pollingInterval: 50,
})
// viem watches blocks by their numbers; a filter of blocks is polled by hand.
const filter = await client.createBlockFilter()
let done = false
async function pollBlocks() {
  while (!done) {
    try {
      for (const blockHash of await client.getFilterChanges({ filter })) {
        watched.blocks.push(Number((await client.getBlock({ blockHash })).number))
      }
    } catch (error) {
      failed(error)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const polling = pollBlocks()
await watchThroughFailovers(control, watched, async (data) => {
  const hash = await wallet.sendTransaction({ data, gas: 100_000n })
  const receipt = await client.waitForTransactionReceipt({ hash, timeout: 20_000 })
  return { hash: receipt.transactionHash, block: Number(receipt.blockNumber) }
})
done = true
await polling
saw('errors', errors)
process.exit(0)
