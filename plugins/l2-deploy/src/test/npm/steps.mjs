// What the scripts share: one line of JSON for each step that the Java side then judges.

/** Says what a step saw. Large numbers are written as decimal text. */
export function saw(step, value) {
  const text = JSON.stringify({ step, value }, (_, v) => (typeof v === 'bigint' ? v.toString() : v === undefined ? null : v))
  process.stdout.write(text + '\n')
}

/** Says how a step failed; that it did not fail is said too. */
export async function sawFailure(step, attempt, describe) {
  try {
    saw(step, { failed: false, result: await attempt() })
  } catch (error) {
    saw(step, { failed: true, ...describe(error) })
  }
}

/** Calls a node without a client's help, for what clients do not know. */
export async function callNode(nodeUrl, method, params) {
  const response = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = await response.json()
  if (answer.error) throw new Error(method + ': ' + JSON.stringify(answer.error))
  return answer.result
}

/** Gives an address what it needs for fees, on a development node. */
export async function mint(nodeUrl, address) {
  await callNode(nodeUrl, 'devnet_mint', { address, amount: 10 ** 20, unit: 'FRI' })
}
