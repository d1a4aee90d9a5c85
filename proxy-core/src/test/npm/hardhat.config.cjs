const { tmpdir } = require("node:os");
const { join } = require("node:path");

// A node alone: nothing is compiled, and nothing is written into the checkout.
const nowhere = join(tmpdir(), "weir-hardhat-none");

module.exports = {
  solidity: "0.8.28",
  networks: { hardhat: { chainId: 31337 } },
  paths: { sources: nowhere, tests: nowhere, cache: nowhere, artifacts: nowhere },
};
