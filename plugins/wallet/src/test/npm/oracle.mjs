// starknet.js beside the wallet: hashes each message by itself, verifies the wallet's signature of it, and signs it too.
//   node oracle.mjs FOLDER_WITH_NODE_MODULES INPUT OUTPUT
import { createRequire } from 'node:module'
import { readFileSync, writeFileSync } from 'node:fs'

const [folder, input, output] = process.argv.slice(2)
const { ec, typedData } = createRequire(`${folder}/package.json`)('starknet')
const { privateKey, address, messages } = JSON.parse(readFileSync(input, 'utf8'))
const publicKey = ec.starkCurve.getPublicKey(privateKey, false)

const answers = messages.map(({ message, signature }) => {
  const hash = typedData.getMessageHash(message, address)
  const [r, s] = signature.split(',').map(BigInt)
  const own = ec.starkCurve.sign(hash, privateKey)
  return {
    verified: ec.starkCurve.verify(new ec.starkCurve.Signature(r, s), hash, publicKey),
    signature: `${own.r},${own.s}`,
  }
})
writeFileSync(output, JSON.stringify(answers))
