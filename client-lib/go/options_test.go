package hdrsidecar

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/peer"
)

func TestFromEnvironment_readsWhatIsSet(t *testing.T) {
	_, ca, key := authority(t)
	for name, value := range map[string]string{
		"HDR_SIDECAR_ADDRESS": " tls://sidecar:9924 ", "HDR_SIDECAR_ENABLED": "false", "HDR_SIDECAR_INTERVAL": "500ms",
		"HDR_SIDECAR_LABELS": "service=shop, zone = a", "HDR_SIDECAR_SPILL_FOLDER": "/var/spill", "HDR_SIDECAR_TOKEN": "",
		"HDR_SIDECAR_TOKEN_FILE": "/token", "HDR_SIDECAR_TLS_CA": ca, "HDR_SIDECAR_TLS_CERTIFICATE": ca, "HDR_SIDECAR_TLS_KEY": key,
	} {
		t.Setenv(name, value)
	}
	c := defaults()
	if err := FromEnvironment()(c); err != nil {
		t.Fatal(err)
	}
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	if c.network != "tls" || c.target != "sidecar:9924" || c.host != "sidecar" || c.enabled || c.interval != 500*time.Millisecond || c.labels["service"] != "shop" ||
		c.labels["zone"] != "a" || c.spillFolder != "/var/spill" || c.tokenFile != "/token" || c.tlsCA != ca || c.tlsCert != ca || c.tlsKey != key {
		t.Errorf("%+v", c)
	}
}

func TestFromEnvironment_aMistakenName_isIgnoredWithOneWarning(t *testing.T) {
	for mistaken, meant := range map[string]string{
		"ADRESS": "ADDRESS", "ADDRESSES": "ADDRESS", "INTERAVL": "INTERVAL", "LABEL": "LABELS", "TOKENFILE": "TOKEN_FILE",
		"TLS_CERT_FICATE": "TLS_CERTIFICATE", "TLS_KEYS": "TLS_KEY",
	} {
		t.Run(mistaken, func(t *testing.T) {
			t.Setenv("HDR_SIDECAR_"+mistaken, "x")
			var log strings.Builder
			c, err := New(FromEnvironment(), WithEnabled(false), WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			if err != nil {
				t.Fatal(err)
			}
			_ = c.Close()
			said := "level=WARN msg=\"unknown variable HDR_SIDECAR_" + mistaken + " is ignored: did you mean HDR_SIDECAR_" + meant + "?\""
			if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), said) {
				t.Error(log.String())
			}
		})
	}
}

func TestFromEnvironment_namesOfOthers_areNoMistakes(t *testing.T) {
	settings, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	environ := []string{"HDR_SIDECAR_HICCUPS=", "HDR_SIDECAR_CRASH_FOLDER=", "HDR_SIDECAR_SPILL_PICKUP=", "HDR_SIDECAR_SERVICE_HOST="}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9.-]+)` ").FindAllSubmatch(settings, -1) {
		environ = append(environ, "HDR_SIDECAR_"+strings.NewReplacer(".", "_", "-", "_").Replace(strings.ToUpper(string(row[1])))+"=x")
	}
	if len(environ) < 60 {
		t.Fatal(environ)
	}
	c := defaults()
	none := func(string) string { return "" }
	if err := fromEnvironment(none, func() []string { return environ })(c); err != nil || len(c.mistakes) > 0 {
		t.Error(err, c.mistakes)
	}
}

func TestFromEnvironment_whatIsWrong_isNamedAltogether(t *testing.T) {
	t.Setenv("HDR_SIDECAR_ENABLED", "yes")
	t.Setenv("HDR_SIDECAR_INTERVAL", "1 s")
	t.Setenv("HDR_SIDECAR_LABELS", "a=1,a=2")
	_, err := New(FromEnvironment())
	for _, name := range []string{"HDR_SIDECAR_ENABLED", "HDR_SIDECAR_INTERVAL", "HDR_SIDECAR_LABELS"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Error(name, err)
		}
	}
}

func TestNew_settingsThatAreWrong_areErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, ca, key := authority(t)
	tls := WithAddress("tls://127.0.0.1:1")
	if c, err := New(tls, WithTLSCA(ca), WithTLSCertificate(ca, key)); err != nil {
		t.Error(err)
	} else {
		_ = c.Close()
	}
	for name, options := range map[string][]Option{
		"no scheme":       {WithAddress("127.0.0.1:9924")},
		"no port":         {WithAddress("tcp://127.0.0.1")},
		"port":            {WithAddress("tcp://127.0.0.1:70000")},
		"path":            {WithAddress("tcp://127.0.0.1:9924/x")},
		"relative socket": {WithAddress("unix://run/x")},
		"long socket":     {WithAddress("unix:///" + strings.Repeat("x", 107))},
		"interval":        {WithInterval(time.Millisecond)},
		"back-off":        {WithBackoff(time.Second, time.Millisecond)},
		"stall":           {WithStallTimeout(0)},
		"close":           {WithCloseTimeout(-1)},
		"series":          {WithMaxSeries(0)},
		"label":           {WithCommonLabels(Labels{"quantile": "1"})},
		"corrected":       {WithCommonLabels(Labels{"corrected": "x"})},
		"overflow":        {WithCommonLabels(Labels{"overflow": "true"})},
		"long label":      {WithCommonLabels(Labels{"a": strings.Repeat("x", 1025)})},
		"long HELLO":      {WithCommonLabels(Labels{"a": strings.Repeat("x", 1024)}), WithToken(strings.Repeat("x", 4000))},
		"token":           {WithToken(strings.Repeat("x", 4097))},
		"two tokens":      {WithToken("a"), WithTokenFile("b")},
		"logger":          {WithLogger(nil)},
		"no key":          {WithTLSCertificate("a", "")},
		"CA at tcp":       {WithTLSCA(ca)},
		"CA at unix":      {WithAddress("unix:///run/x"), WithTLSCA(ca)},
		"pair at tcp":     {WithTLSCertificate(ca, key)},
		"no CA there":     {tls, WithTLSCA(file + "-none")},
		"CA is none":      {tls, WithTLSCA(file)},
		"no pair there":   {tls, WithTLSCertificate(file+"-none", key)},
		"pair is none":    {tls, WithTLSCertificate(ca, file)},
	} {
		if c, err := New(options...); err == nil {
			_ = c.Close()
			t.Errorf("%s: no error", name)
		}
	}
}

// A log.Fatal of the error would take a service down for what only its end needs, if at all.
func TestNew_spillFolderThatCannotBe_isLoggedAndTheClientDelivers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sidecar := peer.Start(t)
	var log strings.Builder
	c := start(t, WithAddress(sidecar.Address()), WithSpillFolder(file), WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	recorderOf(t, c, "delivered", nil).Record(7)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{7}.assert(t, sidecar.Series("delivered"))
	if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), file) {
		t.Error(log.String())
	}
}

// authority writes a certificate that vouches for itself at 127.0.0.1, and its key.
func authority(t *testing.T) (pair tls.Certificate, file, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	keyFile = filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file, keyFile
}

func TestClient_overTLS_isHeardAndChecksWhoListens(t *testing.T) {
	pair, ca, _ := authority(t)
	_, other, _ := authority(t)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		t.Fatal(err)
	}
	sidecar := peer.StartWith(t, listener)
	address := strings.Replace(sidecar.Address(), "tcp:", "tls:", 1)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("first\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := start(t, WithAddress(address), WithTLSCA(other), WithCloseTimeout(0))
	recorderOf(t, wrong, "wrong", nil).Record(1)
	c := start(t, WithAddress(address), WithTLSCA(ca), WithTokenFile(token))
	r := recorderOf(t, c, "right", nil)
	r.Record(1)
	eventually(t, "acknowledged", func() bool { return c.Health().AcknowledgedValues == 1 })
	if err := os.WriteFile(token, []byte("second\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sidecar.Disconnect()
	eventually(t, "connected anew", func() bool { return c.Health().Reconnects == 1 })
	if _, token := sidecar.Told(); token != "second" {
		t.Errorf("token %q", token)
	}
	if c.Close() != nil || wrong.Close() == nil || len(sidecar.Names()) != 1 {
		t.Error(sidecar.Names())
	}
}

func TestCurrentToken_ofAFileWithAByteOrderMark_isReadWithoutIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("\xEF\xBB\xBFab\r\n"), 0o600); err != nil { // As editors of Windows write it.
		t.Fatal(err)
	}
	if token, err := (&config{tokenFile: file}).currentToken(); token != "ab" || err != nil {
		t.Errorf("token %q: %v", token, err)
	}
}

func TestClient_overUnixSocket_isHeard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hdr.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	sidecar := peer.StartWith(t, listener)
	c := start(t, WithAddress("unix://"+path))
	recorderOf(t, c, "unix", nil).Record(7)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{7}.assert(t, sidecar.Series("unix"))
}
