// A session of a user of starknet.js, with an account of their own. Usage: node session.mjs http://… http://…
// The first URL is the proxy's, the second a node's own, for what only development nodes have.
import { Account, CallData, ETransactionVersion, RpcProvider, Signer, TransactionType, ec, hash, stark, uint256 } from 'starknet'
import { callNode, mint, saw } from './steps.mjs'

/** OpenZeppelin's account 1.0.0, which the node declares at its start. */
const CLASS_HASH = '0x05b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564'
const TOKEN = '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d'
const RECEIVER = '0x1234'
const ROUNDS = 4

const [proxyUrl, nodeUrl] = process.argv.slice(2)
const failures = []
const heads = []
let steps = 0

/** Runs a step. What it returns must hold. */
async function step(name, attempt) {
  steps++
  try {
    if (!(await attempt())) failures.push(name + ': not as expected')
  } catch (error) {
    failures.push(name + ': ' + String(error.message).slice(-300))
  }
}

const privateKey = stark.randomAddress()
const publicKey = ec.starkCurve.getStarkKey(privateKey)
const constructorCalldata = CallData.compile([publicKey])
const address = hash.calculateContractAddressFromHash(publicKey, CLASS_HASH, constructorCalldata, 0)
await mint(nodeUrl, address)

const provider = new RpcProvider({ nodeUrl: proxyUrl, specVersion: '0.10.2' })
const account = new Account({ provider, address, signer: new Signer(privateKey), transactionVersion: ETransactionVersion.V3 })

async function head() {
  heads.push(await provider.getBlockNumber())
  return heads[heads.length - 1]
}

/** Waits until the proxy has seen a block that was not made through it. */
async function seen() {
  const number = await callNode(nodeUrl, 'starknet_blockNumber', [])
  for (let i = 0; i < 100 && (await provider.getBlockNumber()) < number; i++) await new Promise(resolve => setTimeout(resolve, 100))
}

async function balance(owner, block = 'latest') {
  const words = await provider.callContract({ contractAddress: TOKEN, entrypoint: 'balance_of', calldata: [owner] }, block)
  return uint256.uint256ToBN({ low: words[0], high: words[1] })
}

const transfer = amount => ({
  contractAddress: TOKEN,
  entrypoint: 'transfer',
  calldata: CallData.compile({ recipient: RECEIVER, amount: uint256.bnToUint256(amount) }),
})

await seen()
await step('chain id', async () => (await provider.getChainId()) === '0x534e5f5345504f4c4941')
await step('spec version', async () => (await provider.getSpecVersion()).startsWith('0.'))
await step('block number', async () => (await head()) >= 0)
await step('newest block', async () => (await provider.getBlockLatestAccepted()).block_number >= heads[0])
await step('syncing', async () => (await provider.getSyncingStats()) === false)
await step('balance before', async () => (await balance(address)) > 0n)
let deployed
await step('fee of a deployment', async () => (await account.estimateAccountDeployFee({ classHash: CLASS_HASH, constructorCalldata, addressSalt: publicKey })).overall_fee > 0n)
await step('deployment', async () => {
  deployed = await account.deployAccount({ classHash: CLASS_HASH, constructorCalldata, addressSalt: publicKey, contractAddress: address })
  return BigInt(deployed.contract_address) === BigInt(address)
})
await step('deployment in a block', async () => (await provider.waitForTransaction(deployed.transaction_hash, { retryInterval: 200 })).isSuccess())
await step('class hash', async () => BigInt(await provider.getClassHashAt(address)) === BigInt(CLASS_HASH))
await step('class', async () => (await provider.getClassAt(address)).sierra_program !== undefined)
await step('class by hash', async () => (await provider.getClass(CLASS_HASH)).sierra_program !== undefined)
await step('nonce', async () => BigInt(await account.getNonce()) === 1n)
await step('public key in storage', async () => (await provider.callContract({ contractAddress: address, entrypoint: 'get_public_key', calldata: [] })).some(word => BigInt(word) === BigInt(publicKey)))
await step('fee of a transfer', async () => (await account.estimateInvokeFee([transfer(1n)])).overall_fee > 0n)
await step('simulation', async () => (await account.simulateTransaction([{ type: TransactionType.INVOKE, payload: [transfer(1n)] }])).simulated_transactions.length === 1)
const start = await balance(RECEIVER)
let sent
for (let round = 1; round <= ROUNDS; round++) {
  await step('transfer ' + round, async () => {
    sent = await account.execute(transfer(BigInt(round)))
    return (await provider.waitForTransaction(sent.transaction_hash, { retryInterval: 200 })).isSuccess()
  })
  await step('head ' + round, async () => (await head()) >= heads[heads.length - 2])
  await step('balance ' + round, async () => (await balance(RECEIVER)) - start === BigInt((round * (round + 1)) / 2))
}
await step('two calls in one transaction', async () => {
  sent = await account.execute([transfer(5n), transfer(6n)])
  return (await provider.waitForTransaction(sent.transaction_hash, { retryInterval: 200 })).isSuccess()
})
let receipt
await step('receipt', async () => {
  receipt = await provider.getTransactionReceipt(sent.transaction_hash)
  return receipt.value.events.length >= 2
})
await step('transaction', async () => BigInt((await provider.getTransactionByHash(sent.transaction_hash)).sender_address) === BigInt(address))
await step('status', async () => (await provider.getTransactionStatus(sent.transaction_hash)).finality_status.startsWith('ACCEPTED_ON_'))
await step('trace', async () => (await provider.getTransactionTrace(sent.transaction_hash)).execute_invocation !== undefined)
await step('block with hashes', async () => (await provider.getBlockWithTxHashes(receipt.value.block_number)).transactions.includes(sent.transaction_hash))
await step('block with receipts', async () => (await provider.getBlockWithReceipts(receipt.value.block_number)).transactions.length > 0)
await step('number of transactions', async () => (await provider.getBlockTransactionCount(receipt.value.block_hash)) > 0)
await step('transaction by place', async () => (await provider.getTransactionByBlockIdAndIndex(receipt.value.block_number, 0)) !== undefined)
await step('state update', async () => (await provider.getStateUpdate(receipt.value.block_number)).state_diff !== undefined)
await step('events', async () => (await provider.getEvents({ address: TOKEN, from_block: { block_number: receipt.value.block_number }, to_block: { block_number: receipt.value.block_number }, chunk_size: 10 })).events.length >= 2)
await step('balance of an earlier block', async () => (await balance(RECEIVER, receipt.value.block_number - 1)) - start === BigInt((ROUNDS * (ROUNDS + 1)) / 2))
await step('an error of a contract', async () => {
  try {
    await provider.callContract({ contractAddress: TOKEN, entrypoint: 'no_such_function', calldata: [] })
    return false
  } catch (error) {
    return /ntry/.test(error.message)
  }
})
await step('final balance', async () => (await balance(RECEIVER)) - start === BigInt((ROUNDS * (ROUNDS + 1)) / 2 + 11))
saw('session', { steps, failures, heads, truth: (await callNode(nodeUrl, 'starknet_blockNumber', [])) })
