package cli

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/pflag"

	"triplex/host/transport"
)

// metricsFlags say where a host shows its counters.
type metricsFlags struct {
	url    string
	public bool

	address transport.Address // of url
}

func (f *metricsFlags) register(flags *pflag.FlagSet) {
	flags.Var((*word)(&f.url), "metrics",
		"serve counters for Prometheus at `URL`, as in http://127.0.0.1:9389/metrics")
	flags.BoolVar(&f.public, "metrics-public", false, "let other machines read the counters")
}

func (f *metricsFlags) check() (err error) {
	if f.url == "" {
		return nil
	}
	if f.address, err = transport.ParseAddress(f.url, "http"); err != nil {
		return usagef("--metrics: %w", err)
	}
	return nil
}

// metricsTimeout bounds what a reader of the counters may take for each part of its request.
const metricsTimeout = 10 * time.Second

// serveMetrics serves the counters, if they are wanted, until the shutdown. Any local user may read
// them, as a Prometheus server seldom runs as the user of a host.
func (s *server) serveMetrics(ctx context.Context) error {
	f := &s.flags.metrics
	if f.url == "" {
		return nil
	}
	config := transport.Config{AllowOtherUsers: true, AllowRemote: f.public, Logger: s.log}
	lns, err := config.Listen(ctx, f.address)
	if err != nil {
		return fmt.Errorf("--metrics (see --metrics-public): %w", err)
	}
	s.metrics = newMetrics()
	registry := prometheus.NewRegistry()
	registry.MustRegister(s.metrics, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	s.web = &http.Server{
		ReadTimeout: metricsTimeout, WriteTimeout: metricsTimeout,
		Handler: onlyAt(f.address.Path, handler),
	}
	for _, ln := range lns {
		fmt.Fprintf(s.stderr, "metrics at %s\n", ln.Address)
		s.serveWeb(s.web, ln)
	}
	return nil
}
