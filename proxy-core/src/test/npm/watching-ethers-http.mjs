// A user of ethers v6 who watches blocks by polls and logs by a filter over HTTP. Usage: node watching-ethers-http.mjs http://… CONTROL
import { HDNodeWallet, JsonRpcProvider } from 'ethers'
import { MNEMONIC } from './steps.mjs'
import { TOPIC, watchThroughFailovers } from './watching.mjs'

const [url, control] = process.argv.slice(2)
const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, batchMaxCount: 1 })
provider.pollingInterval = 50
const wallet = HDNodeWallet.fromPhrase(MNEMONIC).connect(provider)
const watched = { blocks: [], logs: [] }
await provider.on('block', (number) => watched.blocks.push(number))
await provider.on({ topics: [TOPIC] }, (log) => watched.logs.push(log.transactionHash))
const mined = async (transaction) => (await wallet.sendTransaction(transaction)).wait()
await watchThroughFailovers(
  control,
  watched,
  async (data) => {
    const receipt = await mined({ data, gasLimit: 100_000n })
    return { hash: receipt.hash, block: receipt.blockNumber }
  },
  // A poll that is under way when the last block is seen would be the last one.
  async () => (await mined({ to: wallet.address, gasLimit: 21_000n })).blockNumber,
)
process.exit(0)
