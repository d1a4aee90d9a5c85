// A user of viem who watches logs by a filter, also when a node with another branch takes over.
// Usage: node filter-client.mjs http://…
import { createPublicClient, defineChain, http } from 'viem'
import { saw } from './steps.mjs'

const url = process.argv[2]
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const chain = defineChain({ id: 31337, name: 'anvil', nativeCurrency, rpcUrls: { default: { http: [] } } })
const client = createPublicClient({ chain, transport: http(url, { retryCount: 0 }) })
const logs = []
const errors = []
await new Promise((resolve, reject) => {
  const give_up = setTimeout(() => reject(new Error(`no three logs in 60 s: ${JSON.stringify(errors)}`)), 60_000)
  client.watchEvent({
    pollingInterval: 50,
    onError: (error) => errors.push(error.name),
    onLogs: (more) => {
      logs.push(...more.map((log) => `${log.topics[0]} ${log.removed}`))
      if (logs.length >= 3) {
        clearTimeout(give_up)
        resolve()
      }
    },
  })
})
saw('logs', logs)
saw('errors', errors)
process.exit(0)
