// A user of starknet.js with an account of his own on a development node. Usage: node devnet-account.mjs http://… http://…
// The first URL is the proxy's, the second the node's own, for what only development nodes have.
import { Account, CallData, ETransactionVersion, RpcProvider, Signer, ec, hash, stark, uint256 } from 'starknet'
import { mint, saw } from './steps.mjs'

/** OpenZeppelin's account 1.0.0, which the node declares at its start. */
const CLASS_HASH = '0x05b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564'
/** The token that fees are paid in. */
const TOKEN = '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d'
const RECEIVER = '0x1234'
const AMOUNT = 12345n

const [proxyUrl, nodeUrl] = process.argv.slice(2)

const privateKey = stark.randomAddress()
const publicKey = ec.starkCurve.getStarkKey(privateKey)
const constructorCalldata = CallData.compile([publicKey])
const address = hash.calculateContractAddressFromHash(publicKey, CLASS_HASH, constructorCalldata, 0)
await mint(nodeUrl, address)

const provider = new RpcProvider({ nodeUrl: proxyUrl, specVersion: '0.10.2' })
const account = new Account({ provider, address, signer: new Signer(privateKey), transactionVersion: ETransactionVersion.V3 })
saw('chainId', await provider.getChainId())
const deployed = await account.deployAccount({ classHash: CLASS_HASH, constructorCalldata, addressSalt: publicKey, contractAddress: address })
saw('deployed', { ...deployed, expected: address })
saw('deployedStatus', (await provider.waitForTransaction(deployed.transaction_hash)).value?.finality_status ?? null)
saw('classHash', await provider.getClassHashAt(address))

async function balance(owner) {
  const words = await provider.callContract({ contractAddress: TOKEN, entrypoint: 'balance_of', calldata: [owner] })
  return uint256.uint256ToBN({ low: words[0], high: words[1] })
}

const before = await balance(RECEIVER)
const sent = await account.execute({
  contractAddress: TOKEN,
  entrypoint: 'transfer',
  calldata: CallData.compile({ recipient: RECEIVER, amount: uint256.bnToUint256(AMOUNT) }),
})
await provider.waitForTransaction(sent.transaction_hash)
saw('transferred', (await balance(RECEIVER)) - before)
