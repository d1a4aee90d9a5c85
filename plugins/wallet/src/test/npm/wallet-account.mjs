// What an application does with starknet.js' WalletAccount before the proxy. It comes behind the provider object of the plugin's page,
// which makes `account`, and writes what it sees to the file OUTPUT.
const token = '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d'
const message = {
  types: {
    StarknetDomain: [
      { name: 'name', type: 'shortstring' },
      { name: 'version', type: 'shortstring' },
      { name: 'chainId', type: 'shortstring' },
      { name: 'revision', type: 'shortstring' },
    ],
    Note: [{ name: 'text', type: 'string' }],
  },
  primaryType: 'Note',
  domain: { name: 'shop', version: '1', chainId: 'SN_SEPOLIA', revision: '1' },
  message: { text: 'hello' },
}
const code = (action) => action.then(() => 0, (error) => error.code)
const reason = (action) => action.then(() => '', (error) => `${error.code}: ${error.data.reason}`)

const seen = { address: account.address, permissions: await account.getPermissions() }
seen.undeployed = (await wallet.request({ type: 'wallet_deploymentData' })).address
seen.chain = await wallet.request({ type: 'wallet_requestChainId' })
const sent = await account.execute([{ contractAddress: token, entrypoint: 'transfer', calldata: ['0x1', '2', '0'] }])
seen.hash = sent.transaction_hash
seen.signature = (await account.signMessage(message)).map(String)
seen.hashOfMessage = typedData.getMessageHash(message, account.address)
const asked = (contractAddress) => account.execute({ contractAddress, entrypoint: 'transfer', calldata: ['1', '2', '0'] })
seen.refused = await code(asked('0x5'))
seen.expired = await reason(asked('0x6'))
seen.unlisted = await code(account.switchStarknetChain('0x534e5f4d41494e'))
seen.unknown = await code(account.watchAsset({ type: 'ERC20', options: { address: token } }))
writeFileSync(output, JSON.stringify(seen))
