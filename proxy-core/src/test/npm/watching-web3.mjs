// A user of web3.js who watches blocks and logs over WebSocket. Usage: node watching-web3.mjs ws://… CONTROL
import { HDNodeWallet } from 'ethers'
import { Web3 } from 'web3'
import { MNEMONIC } from './steps.mjs'
import { TOPIC, watchThroughFailovers } from './watching.mjs'

const [url, control] = process.argv.slice(2)
const web3 = new Web3(new Web3.providers.WebsocketProvider(url))
const account = web3.eth.accounts.wallet.add(HDNodeWallet.fromPhrase(MNEMONIC).privateKey).get(0)
const watched = { blocks: [], logs: [] }
const heads = await web3.eth.subscribe('newBlockHeaders')
heads.on('data', (head) => watched.blocks.push(Number(head.number)))
const logs = await web3.eth.subscribe('logs', { topics: [TOPIC] })
logs.on('data', (log) => watched.logs.push(log.transactionHash))
await watchThroughFailovers(control, watched, async (data) => {
  const receipt = await web3.eth.sendTransaction({ from: account.address, data, gas: 100_000 })
  return { hash: receipt.transactionHash, block: Number(receipt.blockNumber) }
})
process.exit(0)
