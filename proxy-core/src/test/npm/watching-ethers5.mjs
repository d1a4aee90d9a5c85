// A user of ethers v5 who watches blocks and logs over WebSocket. Usage: node watching-ethers5.mjs ws://… CONTROL
import { ethers } from 'ethers5'
import { MNEMONIC } from './steps.mjs'
import { TOPIC, watchThroughFailovers } from './watching.mjs'

const [url, control] = process.argv.slice(2)
const provider = new ethers.providers.WebSocketProvider(url)
const wallet = ethers.Wallet.fromMnemonic(MNEMONIC).connect(provider)
const watched = { blocks: [], logs: [] }
provider.on('block', (number) => watched.blocks.push(number))
provider.on({ topics: [TOPIC] }, (log) => watched.logs.push(log.transactionHash))
await provider.send('eth_chainId', [])
await watchThroughFailovers(control, watched, async (data) => {
  const receipt = await (await wallet.sendTransaction({ data, gasLimit: 100_000 })).wait()
  return { hash: receipt.transactionHash, block: receipt.blockNumber }
})
process.exit(0)
