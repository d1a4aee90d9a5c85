// Reads a dashboard as Grafana's own types for Go have it, with time series of Prometheus. Usage: dashboard FILE
//
// Says a line of JSON: what the types do not know, lack or refuse.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// A panel or a row as it is written: the types leave queries unread that name no source of data of their own.
type panel struct {
	Title   string            `json:"title"`
	Panels  []panel           `json:"panels"`
	Targets []json.RawMessage `json:"targets"`
}

func problems(text []byte) []string {
	cog.NewRuntime().RegisterPanelcfgVariant(timeseries.VariantConfig())
	cog.NewRuntime().RegisterDataqueryVariant(prometheus.VariantConfig())
	found := []string{}
	note := func(where string, err error) {
		// The types return an empty list of errors as an error.
		if err != nil && err.Error() != "" {
			found = append(found, where+": "+err.Error())
		}
	}
	var read dashboard.Dashboard
	note("dashboard", read.UnmarshalJSONStrict(text))
	note("dashboard", read.Validate())
	var written panel
	note("dashboard", json.Unmarshal(text, &written))
	queries(written, note)
	return found
}

func queries(of panel, note func(string, error)) {
	for _, target := range of.Targets {
		_, err := cog.StrictUnmarshalDataquery(target, "prometheus")
		note(of.Title, err)
	}
	for _, inner := range of.Panels {
		queries(inner, note)
	}
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	found, err := json.Marshal(map[string]any{"step": "problems", "value": problems(text)})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(found))
}
