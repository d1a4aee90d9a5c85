// A user of web3.js who watches blocks over WebSocket while the proxy restarts. Usage: node restarted-web3.mjs ws://… CONTROL
import { Web3 } from 'web3'
import { saw } from './steps.mjs'

const [url, control] = process.argv.slice(2)
const provider = new Web3.providers.WebsocketProvider(url, {}, { delay: 100, maxAttempts: 300 })
const web3 = new Web3(provider)
const blocks = []
async function watch() {
  const heads = await web3.eth.subscribe('newBlockHeaders')
  heads.on('data', (head) => blocks.push(Number(head.number)))
}
const ask = async (what) => Number(await (await fetch(`${control}/${what}`)).text())

await watch()
const reconnected = new Promise((done) => provider.on('connect', () => done(true)))
const timeout = new Promise((done) => setTimeout(() => done(false), 30_000))
await ask('restart')
saw('reconnected', await Promise.race([reconnected, timeout]))
await watch()
const head = await ask('mine')
for (let i = 0; i < 600 && !blocks.includes(head); i++) await new Promise((done) => setTimeout(done, 50))
saw('head', head)
saw('blocks', blocks)
process.exit(0)
