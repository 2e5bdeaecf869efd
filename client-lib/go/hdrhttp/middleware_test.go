package hdrhttp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"hdrsidecar.io/go/hdrsidecar"
	"hdrsidecar.io/go/hdrsidecar/hdrhttp"
	"hdrsidecar.io/go/hdrsidecar/internal/peer"
)

func TestMiddleware_eachRequest_isInTheSeriesOfItsRouteAndStatus(t *testing.T) {
	sidecar := peer.Start(t)
	client, err := hdrsidecar.New(hdrsidecar.WithAddress(sidecar.Address()))
	if err != nil {
		t.Fatal(err)
	}
	measured, err := hdrhttp.Middleware(client, hdrhttp.WithTrace(func(r *http.Request) (string, string) {
		return r.Header.Get("Trace"), ""
	}))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.PathValue("id"))
		w.(http.Flusher).Flush()
	})
	mux.HandleFunc("POST example.com/orders", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusCreated)
	})
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/taken", func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	})
	var done sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer done.Done()
		measured(mux).ServeHTTP(w, r)
	}))
	defer server.Close()

	ask := func(method, path, host string) {
		done.Add(1)
		request, err := http.NewRequest(method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		request.Header.Set("Trace", "a1")
		// Two of the handlers end the connection; what counts is what was recorded.
		if answer, err := server.Client().Do(request); err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		}
	}
	for _, id := range []string{"1", "2", "3"} {
		ask("GET", "/orders/"+id, "")
	}
	ask("POST", "/orders", "example.com")
	ask("BREW", "/tea", "")
	ask("POST", "/panic", "")
	ask("POST", "/taken", "")
	done.Wait()

	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	expected := map[string]int64{
		"http_server_requests{method=GET,route=/orders/{id},status=200}": 3,
		"http_server_requests{method=POST,route=/orders,status=201}":     1,
		"http_server_requests{method=other,route=unmatched,status=404}":  1,
		"http_server_requests{method=POST,route=/panic,status=500}":      1,
	}
	for series, count := range expected {
		if got := sidecar.Series(series); got.Count != count || got.Max <= 0 || got.Max > int64(time.Hour) {
			t.Errorf("%s: %+v, not %d values", series, got, count)
		}
	}
	if got := sidecar.Names(); len(got) != len(expected) {
		t.Errorf("series %v", got)
	}
	if got := sidecar.Series("http_server_requests{method=POST,route=/orders,status=201}"); got.TraceID != "a1" {
		t.Errorf("exemplar of %q", got.TraceID)
	}
}

func TestMiddleware_nameThatIsNone_isAnError(t *testing.T) {
	client, err := hdrsidecar.New(hdrsidecar.WithEnabled(false))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hdrhttp.Middleware(client, hdrhttp.WithName("not a name")); err == nil {
		t.Error("no error")
	}
}
