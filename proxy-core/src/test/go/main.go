// A user of geth's ethclient who watches blocks and logs over WebSocket. Usage: clients ws://… CONTROL
//
// Says a line of JSON for each step, as the scripts of ../npm do.
package main

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi/bind"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
)

const (
	rounds = 10
	// The first of the accounts that anvil fills at its start.
	key = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
)

var loggingCode = common.FromHex("0x60015f5fa100")

type sent struct {
	Hash  string `json:"hash"`
	Block uint64 `json:"block"`
}

// watched holds the numbers of the blocks and the transaction hashes of the logs seen so far.
type watched struct {
	sync.Mutex
	blocks []uint64
	logs   []string
}

func (w *watched) has(head uint64) bool {
	w.Lock()
	defer w.Unlock()
	return len(w.blocks) > 0 && w.blocks[len(w.blocks)-1] >= head && len(w.logs) >= rounds
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func saw(step string, value any) {
	line, err := json.Marshal(map[string]any{"step": step, "value": value})
	check(err)
	fmt.Println(string(line))
}

func failover(control string) uint64 {
	answer, err := http.Get(control + "/failover")
	check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	check(err)
	head, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	check(err)
	return head
}

func (w *watched) follow(heads chan *types.Header, logs chan types.Log, headErrors, logErrors <-chan error) {
	for {
		select {
		case head := <-heads:
			w.Lock()
			w.blocks = append(w.blocks, head.Number.Uint64())
			w.Unlock()
		case log := <-logs:
			w.Lock()
			w.logs = append(w.logs, log.TxHash.Hex())
			w.Unlock()
		case err := <-headErrors:
			check(fmt.Errorf("newHeads ended: %w", err))
		case err := <-logErrors:
			check(fmt.Errorf("logs ended: %w", err))
		}
	}
}

func send(ctx context.Context, client *ethclient.Client, from *ecdsa.PrivateKey) sent {
	nonce, err := client.PendingNonceAt(ctx, crypto.PubkeyToAddress(from.PublicKey))
	check(err)
	price, err := client.SuggestGasPrice(ctx)
	check(err)
	transaction, err := types.SignNewTx(from, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
		Nonce: nonce, GasPrice: new(big.Int).Mul(price, big.NewInt(2)), Gas: 100000, Data: loggingCode,
	})
	check(err)
	check(client.SendTransaction(ctx, transaction))
	receipt, err := bind.WaitMined(ctx, client, transaction)
	check(err)
	return sent{receipt.TxHash.Hex(), receipt.BlockNumber.Uint64()}
}

func main() {
	url, control := os.Args[1], os.Args[2]
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := ethclient.DialContext(ctx, url)
	check(err)
	from, err := crypto.HexToECDSA(key)
	check(err)
	heads, logs := make(chan *types.Header, 100), make(chan types.Log, 100)
	headSubscription, err := client.SubscribeNewHead(ctx, heads)
	check(err)
	query := ethereum.FilterQuery{Topics: [][]common.Hash{{common.BigToHash(big.NewInt(1))}}}
	logSubscription, err := client.SubscribeFilterLogs(ctx, query, logs)
	check(err)
	seen := &watched{}
	go seen.follow(heads, logs, headSubscription.Err(), logSubscription.Err())
	mined := []sent{}
	for range rounds {
		failover(control)
		mined = append(mined, send(ctx, client, from))
	}
	head := failover(control)
	for i := 0; i < 600 && !seen.has(head); i++ {
		time.Sleep(50 * time.Millisecond)
	}
	seen.Lock()
	saw("sent", mined)
	saw("head", head)
	saw("blocks", seen.blocks)
	saw("logs", seen.logs)
}
