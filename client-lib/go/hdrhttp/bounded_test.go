package hdrhttp

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"hdrsidecar.io/go/hdrsidecar"
)

// Whoever puts ids into the route gets the overflow series, and no map that grows with each of them.
func TestMiddleware_routesWithIDs_takeBoundedMemory(t *testing.T) {
	client, err := hdrsidecar.New(hdrsidecar.WithEnabled(false), hdrsidecar.WithMaxSeries(10))
	if err != nil {
		t.Fatal(err)
	}
	m := &middleware{client: client, name: "http_server_requests", trace: noTrace}
	id := 0
	m.route = func(*http.Request) string { id++; return fmt.Sprint("/orders/", id) }
	handler := m.wrap(http.NotFoundHandler())
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	for range maxKept + 500 {
		handler.ServeHTTP(httptest.NewRecorder(), request)
	}
	n := 0
	m.series.Range(func(any, any) bool { n++; return true })
	if n != maxKept {
		t.Errorf("%d recorders are kept, not %d", n, maxKept)
	}
}
