// A user of ethers v6 who watches blocks and logs over WebSocket. Usage: node watching-ethers.mjs ws://… CONTROL
import { HDNodeWallet, WebSocketProvider } from 'ethers'
import { MNEMONIC } from './steps.mjs'
import { TOPIC, watchThroughFailovers } from './watching.mjs'

const [url, control] = process.argv.slice(2)
const provider = new WebSocketProvider(url, undefined, { cacheTimeout: -1 })
const wallet = HDNodeWallet.fromPhrase(MNEMONIC).connect(provider)
const watched = { blocks: [], logs: [] }
await provider.on('block', (number) => watched.blocks.push(number))
await provider.on({ topics: [TOPIC] }, (log) => watched.logs.push(log.transactionHash))
// The provider sends eth_subscribe without waiting for its answer.
await provider.send('eth_chainId', [])
await watchThroughFailovers(control, watched, async (data) => {
  const receipt = await (await wallet.sendTransaction({ data, gasLimit: 100_000n })).wait()
  return { hash: receipt.hash, block: receipt.blockNumber }
})
process.exit(0)
