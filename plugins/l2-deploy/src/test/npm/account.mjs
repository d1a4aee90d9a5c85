// A user of starknet.js who deploys an account of his. Usage: node account.mjs describe | deploy http://… <spec version>
import { Account, CallData, ETransactionVersion, RpcProvider, Signer, constants, ec, hash } from 'starknet'
import { saw, sawFailure } from './steps.mjs'

/** Any key will do: this one is known to everybody. */
const PRIVATE_KEY = '0x' + '0123456789abcdef'.repeat(4).slice(4)
const CLASS_HASH = '0x29927c8af6bccf3f6fda035981e765a7bdbf18a2dc0d630494f8758aa908e2b'

const publicKey = ec.starkCurve.getStarkKey(PRIVATE_KEY)
const constructorCalldata = CallData.compile([publicKey, '0x0'])
const address = hash.calculateContractAddressFromHash(publicKey, CLASS_HASH, constructorCalldata, 0)
const resourceBounds = {
  l1_gas: { max_amount: 0x1n, max_price_per_unit: 0x2n },
  l2_gas: { max_amount: 0xffffffffffffffffn, max_price_per_unit: 0xffffffffffffffffffffffffffffffffn },
  l1_data_gas: { max_amount: 0x5n, max_price_per_unit: 0x6n },
}
const tip = 7n

const transactionHash = hash.calculateDeployAccountTransactionHash({
  contractAddress: address,
  classHash: CLASS_HASH,
  compiledConstructorCalldata: constructorCalldata,
  salt: publicKey,
  version: ETransactionVersion.V3,
  chainId: constants.StarknetChainId.SN_SEPOLIA,
  nonce: 0n,
  resourceBounds,
  tip,
  paymasterData: [],
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 0,
})
saw('expected', { transaction_hash: transactionHash, contract_address: address })

if (process.argv[2] === 'deploy') {
  const provider = new RpcProvider({ nodeUrl: process.argv[3], specVersion: process.argv[4], retries: 0 })
  const account = new Account({ provider, address, signer: new Signer(PRIVATE_KEY) })
  saw('chainId', await provider.getChainId())
  await sawFailure(
    'deployed',
    () => account.deployAccount(
      { classHash: CLASS_HASH, constructorCalldata, addressSalt: publicKey, contractAddress: address },
      { resourceBounds, tip },
    ),
    (error) => ({ name: error.constructor.name, code: error.baseError?.code ?? null, data: error.baseError?.data ?? null, message: error.message }),
  )
}
