package hdrsidecar

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

// Labels are the names and values of a series; an empty value is the same as none.
type Labels map[string]string

// Option sets what differs from the defaults.
type Option func(*config) error

type config struct {
	address      string
	enabled      bool
	interval     time.Duration
	labels       Labels
	commonLabels []wire.Label
	token        string
	tokenFile    string
	tlsCA        string
	tlsCert      string
	tlsKey       string
	closeTimeout time.Duration
	stallTimeout time.Duration
	minBackoff   time.Duration
	maxBackoff   time.Duration
	maxSeries    int
	spillFolder  string
	logger       *slog.Logger
	mistakes     []string // in the names of variables

	network, target, host string // of address
}

func defaults() *config {
	return &config{
		address: "tcp://127.0.0.1:9924", enabled: true, interval: time.Second, closeTimeout: 2 * time.Second,
		stallTimeout: 30 * time.Second, minBackoff: 100 * time.Millisecond, maxBackoff: 10 * time.Second, maxSeries: 1000,
		logger: slog.Default(),
	}
}

func setting(set func(*config)) Option { return func(c *config) error { set(c); return nil } }

func within(name string, d, low, high time.Duration, set func(*config)) Option {
	return func(c *config) error {
		if d < low || d > high {
			return fmt.Errorf("%s must be %v to %v: %v", name, low, high, d)
		}
		set(c)
		return nil
	}
}

// WithAddress: tcp://host:port, tls://host:port or unix:///path; tcp://127.0.0.1:9924 by default.
func WithAddress(address string) Option { return setting(func(c *config) { c.address = address }) }

// WithEnabled(false) records and discards.
func WithEnabled(enabled bool) Option { return setting(func(c *config) { c.enabled = enabled }) }

// WithInterval is the time between two samples, 10 ms to 1 h; 1 s by default.
func WithInterval(d time.Duration) Option {
	return within("interval", d, 10*time.Millisecond, time.Hour, func(c *config) { c.interval = d })
}

// WithCommonLabels are labels that every series has besides its own.
func WithCommonLabels(labels Labels) Option {
	labels = maps.Clone(labels) // The caller may go on with its own.
	return setting(func(c *config) { c.labels = labels })
}

const maxToken = 4096

// WithToken is the token that the sidecar asks for, up to 4,096 characters.
func WithToken(token string) Option {
	return func(c *config) error {
		if len(token) > maxToken {
			return fmt.Errorf("token must have at most %d characters, has %d", maxToken, len(token))
		}
		c.token = token
		return nil
	}
}

// WithTokenFile reads the token from a file for each connection.
func WithTokenFile(path string) Option { return setting(func(c *config) { c.tokenFile = path }) }

// WithTLSCA is a PEM file of the authorities that may vouch for a sidecar at tls://; else those of the system. It is read for
// each connection. New fails when it cannot be used, and at an address that is not tls://.
func WithTLSCA(path string) Option { return setting(func(c *config) { c.tlsCA = path }) }

// WithTLSCertificate are PEM files of the client's certificate and key, read for each connection. New fails when they cannot
// be used, and at an address that is not tls://.
func WithTLSCertificate(certificate, key string) Option {
	return setting(func(c *config) { c.tlsCert, c.tlsKey = certificate, key })
}

// WithCloseTimeout is how long Close waits, 0 to 10 min; 2 s by default.
func WithCloseTimeout(d time.Duration) Option {
	return within("close timeout", d, 0, 10*time.Minute, func(c *config) { c.closeTimeout = d })
}

// WithStallTimeout is for how long a sidecar may owe an answer, 100 ms to 1 h; 30 s by default.
func WithStallTimeout(d time.Duration) Option {
	return within("stall timeout", d, 100*time.Millisecond, time.Hour, func(c *config) { c.stallTimeout = d })
}

// WithMaxSeries is how many label sets may be, 1 to 1,000,000; 1,000 by default.
func WithMaxSeries(n int) Option {
	return func(c *config) error {
		if n < 1 || n > 1_000_000 {
			return fmt.Errorf("series must be 1 to 1000000: %d", n)
		}
		c.maxSeries = n
		return nil
	}
}

// WithSpillFolder is where Close writes what it could not deliver, for the sidecar that this client sends to, or a later Java
// client, to pick up. It is made for its owner alone unless it is there. A sidecar needs its journal to count a file once.
// Where it cannot be made or written to, New logs that, and Close tries again.
func WithSpillFolder(path string) Option { return setting(func(c *config) { c.spillFolder = path }) }

// WithBackoff is the time between two attempts to connect, from the first to the longest, each 1 ms to 1 h; 100 ms to 10 s by
// default. Half of it is random.
func WithBackoff(first, longest time.Duration) Option {
	return func(c *config) error {
		if first < time.Millisecond || longest < first || longest > time.Hour {
			return fmt.Errorf("back-off must be 1ms to 1h, the first not longer than the longest: %v to %v", first, longest)
		}
		c.minBackoff, c.maxBackoff = first, longest
		return nil
	}
}

// WithLogger gets one line for each change of state; slog.Default() by default.
func WithLogger(l *slog.Logger) Option {
	return func(c *config) error {
		if l == nil {
			return errors.New("logger must not be nil")
		}
		c.logger = l
		return nil
	}
}

var durationText = regexp.MustCompile(`^(\d{1,9})(ms|s|m|h)$`)

// FromEnvironment reads the variables of the README. A variable that is wrong is an error of New that names all of them; an
// empty one counts as not set. One whose name nearly is that of another is ignored with a warning.
func FromEnvironment() Option { return fromEnvironment(os.Getenv, os.Environ) }

func fromEnvironment(getenv func(string) string, environ func() []string) Option {
	return func(c *config) error {
		var problems []error
		known := []string{"HDR_SIDECAR_TLS_KEY"}
		read := func(name string, option func(text string) (Option, error)) {
			known = append(known, name)
			text := strings.TrimSpace(getenv(name))
			if text == "" {
				return
			}
			o, err := option(text)
			if err == nil {
				err = o(c)
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", name, err))
			}
		}
		text := func(o func(string) Option) func(string) (Option, error) {
			return func(t string) (Option, error) { return o(t), nil }
		}
		read("HDR_SIDECAR_ADDRESS", text(WithAddress))
		read("HDR_SIDECAR_ENABLED", func(t string) (Option, error) {
			if t != "true" && t != "false" {
				return nil, fmt.Errorf("must be true or false: %s", t)
			}
			return WithEnabled(t == "true"), nil
		})
		read("HDR_SIDECAR_INTERVAL", func(t string) (Option, error) {
			if !durationText.MatchString(t) {
				return nil, fmt.Errorf("must be a whole number with a unit, such as 500ms, 10s, 1m or 1h: %s", t)
			}
			d, err := time.ParseDuration(t)
			return WithInterval(d), err
		})
		read("HDR_SIDECAR_LABELS", func(t string) (Option, error) {
			labels := Labels{}
			for _, pair := range strings.Split(t, ",") {
				name, value, ok := strings.Cut(pair, "=")
				name = strings.TrimSpace(name)
				if _, twice := labels[name]; !ok || twice {
					return nil, fmt.Errorf("must be name=value,name=value, each name once: %s", t)
				}
				labels[name] = strings.TrimSpace(value)
			}
			return WithCommonLabels(labels), nil
		})
		read("HDR_SIDECAR_SPILL_FOLDER", text(WithSpillFolder))
		read("HDR_SIDECAR_TOKEN", text(WithToken))
		read("HDR_SIDECAR_TOKEN_FILE", text(WithTokenFile))
		read("HDR_SIDECAR_TLS_CA", text(WithTLSCA))
		key := strings.TrimSpace(getenv("HDR_SIDECAR_TLS_KEY"))
		read("HDR_SIDECAR_TLS_CERTIFICATE", func(t string) (Option, error) { return WithTLSCertificate(t, key), nil })
		if strings.TrimSpace(getenv("HDR_SIDECAR_TLS_CERTIFICATE")) == "" && key != "" {
			c.tlsKey = key // check says what is missing
		}
		c.mistakes = mistakes(environ(), known)
		if len(problems) > 0 {
			return fmt.Errorf("environment of hdr-sidecar's client: %w", errors.Join(problems...))
		}
		return nil
	}
}

// mistakes says which variables are unknown and nearly have a name that is known. None of the sidecar's own, which may
// stand there, too, is so near.
func mistakes(environ, known []string) (said []string) {
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "HDR_SIDECAR_") || slices.Contains(known, name) {
			continue
		}
		for _, meant := range known {
			if apart(name, meant) <= 2 {
				said = append(said, fmt.Sprintf("unknown variable %s is ignored: did you mean %s?", name, meant))
			}
		}
	}
	return said
}

// apart is how many characters there are between the equal ones at the start and at the end.
func apart(a, b string) int {
	shorter, start, end := min(len(a), len(b)), 0, 0
	for start < shorter && a[start] == b[start] {
		start++
	}
	for end < shorter-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return max(len(a), len(b)) - start - end
}

const helloBytes = 4096

// check says what does not go together, and reads the address.
func (c *config) check() error {
	if c.token != "" && c.tokenFile != "" {
		return errors.New("token and token file must not be set together")
	}
	if (c.tlsCert == "") != (c.tlsKey == "") {
		return errors.New("certificate and key of TLS must be set together")
	}
	common, err := checkedLabels(c.labels)
	if err != nil {
		return err
	}
	for _, l := range common {
		if l.Name == "corrected" || l.Name == "overflow" {
			return fmt.Errorf("common labels must not set %s, which tells series apart", l.Name)
		}
	}
	c.commonLabels = common
	// A sidecar that does not know us may take no more.
	if n := wire.BodyBytes(wire.AppendHello(nil, wire.ID{}, common, c.token)); n > helloBytes {
		return fmt.Errorf("common labels and token must fit a HELLO of %d bytes: %d", helloBytes, n)
	}
	u, err := url.Parse(c.address)
	if err == nil && u.RawQuery == "" && u.Fragment == "" && u.User == nil {
		port, _ := strconv.Atoi(u.Port())
		switch {
		case (u.Scheme == "tcp" || u.Scheme == "tls") && u.Hostname() != "" && port >= 1 && port <= 65535 && u.Path == "":
			c.network, c.target, c.host = u.Scheme, u.Host, u.Hostname()
			return c.checkTLS()
		case u.Scheme == "unix" && u.Host == "" && len(u.Path) > 1 && len(u.Path) <= 107:
			c.network, c.target = "unix", u.Path
			return c.checkTLS()
		}
	}
	return fmt.Errorf("address must be tcp://host:port, tls://host:port or unix:///path (at most 107 characters): %s", c.address)
}

// checkTLS reads the files, though each connection reads them again: a mistake is told at the start.
func (c *config) checkTLS() error {
	if c.network == "tls" {
		_, err := c.tlsConfig()
		return err
	}
	if c.tlsCA != "" || c.tlsCert != "" {
		return fmt.Errorf("TLS files need an address tls://host:port, or nothing is encrypted: %s", c.address)
	}
	return nil
}

const maxLabels = 32

var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

var reserved = map[string]bool{"le": true, "quantile": true, "window": true, "job": true, "instance": true}

// checkedLabels are sorted by name, without those that are empty.
func checkedLabels(labels Labels) ([]wire.Label, error) {
	var checked []wire.Label
	for name, value := range labels {
		switch {
		case !labelName.MatchString(name) || strings.HasPrefix(name, "__") || reserved[name] || len(name) > 1024:
			return nil, fmt.Errorf("label name is not allowed: %q", name)
		case characters(value) > 1024:
			return nil, fmt.Errorf("value of label %s has more than 1024 characters", name)
		case value != "":
			checked = append(checked, wire.Label{Name: name, Value: strings.ToValidUTF8(value, "\uFFFD")})
		}
	}
	if len(checked) > maxLabels {
		return nil, fmt.Errorf("at most %d labels: %d", maxLabels, len(checked))
	}
	sort.Slice(checked, func(i, j int) bool { return checked[i].Name < checked[j].Name })
	return checked, nil
}

func (c *config) currentToken() (string, error) {
	if c.tokenFile == "" {
		return c.token, nil
	}
	text, err := os.ReadFile(c.tokenFile)
	token := strings.TrimSpace(strings.TrimPrefix(string(text), "\uFEFF")) // Editors of Windows write a byte order mark.
	if err == nil && len(token) > maxToken {
		err = fmt.Errorf("token in %s must have at most %d characters", c.tokenFile, maxToken)
	}
	return token, err
}

func (c *config) dial(ctx context.Context) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: c.stallTimeout}
	if c.network != "tls" {
		return dialer.DialContext(ctx, c.network, c.target)
	}
	settings, err := c.tlsConfig()
	if err != nil {
		return nil, err
	}
	return (&tls.Dialer{NetDialer: dialer, Config: settings}).DialContext(ctx, "tcp", c.target)
}

func (c *config) tlsConfig() (*tls.Config, error) {
	settings := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: c.host}
	if c.tlsCA != "" {
		pem, err := os.ReadFile(c.tlsCA)
		if err != nil {
			return nil, fmt.Errorf("certificates of authorities: %w", err)
		}
		settings.RootCAs = x509.NewCertPool()
		if !settings.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("certificates of authorities: no certificate in PEM in %s", c.tlsCA)
		}
	}
	if c.tlsCert != "" {
		pair, err := tls.LoadX509KeyPair(c.tlsCert, c.tlsKey)
		if err != nil {
			return nil, fmt.Errorf("certificate %s and key %s: %w", c.tlsCert, c.tlsKey, err)
		}
		settings.Certificates = []tls.Certificate{pair}
	}
	return settings, nil
}
