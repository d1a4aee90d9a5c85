-- The tables of the wallet's state, made when its file is made. No statement contains a semicolon except at its end.
CREATE TABLE account (
  tenant TEXT NOT NULL,
  chain_id TEXT NOT NULL,
  address TEXT NOT NULL,
  kind TEXT NOT NULL,
  address_index INTEGER NOT NULL,
  address_salt TEXT NOT NULL,
  public_key TEXT NOT NULL,
  deploy_hash TEXT NOT NULL,
  upgrade_required INTEGER NOT NULL,
  deploy_required INTEGER NOT NULL,
  PRIMARY KEY (tenant, chain_id, address)
) STRICT;

-- All calls of a transaction are in one column.
CREATE TABLE account_transaction (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  chain_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  type TEXT NOT NULL,
  sender TEXT NOT NULL,
  nonce INTEGER NOT NULL,
  calls TEXT NOT NULL DEFAULT '',
  max_fee TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  failure_reason TEXT NOT NULL,
  created_millis INTEGER NOT NULL,
  sent_millis INTEGER NOT NULL,
  changed_millis INTEGER NOT NULL,
  approval TEXT NOT NULL DEFAULT '',
  part INTEGER NOT NULL DEFAULT 0,
  replaced_by TEXT NOT NULL DEFAULT '',
  UNIQUE (chain_id, hash)
) STRICT;
CREATE INDEX account_transaction_sender ON account_transaction (chain_id, sender, nonce);
CREATE INDEX account_transaction_state ON account_transaction (state, changed_millis);
CREATE INDEX account_transaction_history ON account_transaction (tenant, chain_id, sender, created_millis, number);
-- At most one transaction for each part of an approval.
CREATE UNIQUE INDEX account_transaction_approval ON account_transaction (approval, part) WHERE approval <> '';

-- Requests that have an id of their caller's or were decided on. An id names the newest of its requests.
CREATE TABLE request (
  number INTEGER PRIMARY KEY,
  approval TEXT NOT NULL UNIQUE,
  tenant TEXT NOT NULL,
  request_id TEXT,
  method TEXT NOT NULL,
  chain_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL,
  result TEXT NOT NULL,
  error_code INTEGER NOT NULL,
  error_message TEXT NOT NULL,
  created_millis INTEGER NOT NULL,
  changed_millis INTEGER NOT NULL,
  decided_millis INTEGER,
  decided_by TEXT,
  approved INTEGER,
  network TEXT,
  account TEXT,
  summary TEXT,
  message TEXT,
  max_fee TEXT,
  content_hash TEXT
) STRICT;
CREATE INDEX request_id ON request (tenant, request_id, number) WHERE request_id IS NOT NULL;
CREATE INDEX request_decision ON request (decided_millis, number) WHERE decided_by IS NOT NULL;
CREATE INDEX request_content ON request (content_hash, decided_millis) WHERE approved;
CREATE INDEX request_changed ON request (changed_millis);
CREATE INDEX request_tenant ON request (tenant, changed_millis, number) WHERE decided_by IS NULL;

-- What policies approved on a day (UTC), by the name of the sum.
CREATE TABLE day_sum (
  day TEXT NOT NULL,
  name TEXT NOT NULL,
  amount TEXT NOT NULL,
  PRIMARY KEY (day, name)
) STRICT;

-- Transactions of chains that began anew.
CREATE TABLE archived_transaction (
  number INTEGER PRIMARY KEY,
  archived_millis INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  chain_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  sender TEXT NOT NULL,
  nonce INTEGER NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  approval TEXT NOT NULL,
  created_millis INTEGER NOT NULL
) STRICT;

-- Blocks by which a chain that began anew is noticed.
CREATE TABLE chain_block (
  chain_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (chain_id, number)
) STRICT;

-- How far the chain was searched for an account's history.
CREATE TABLE searched_blocks (
  chain_id TEXT NOT NULL,
  account TEXT NOT NULL,
  lowest INTEGER NOT NULL,
  highest INTEGER NOT NULL,
  PRIMARY KEY (chain_id, account)
) STRICT;
