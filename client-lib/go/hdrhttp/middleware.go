// Package hdrhttp records how long a net/http server takes for its requests.
package hdrhttp

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hdrsidecar.io/go/hdrsidecar"
)

// Option sets what differs from the defaults.
type Option func(*middleware)

// WithName names the series; http_server_requests by default, as Micrometer has it.
func WithName(name string) Option { return func(m *middleware) { m.name = name } }

// WithRoute says what the label route is instead of the pattern that matched. Every value becomes a series: never a path
// with an id in it.
func WithRoute(route func(*http.Request) string) Option {
	return func(m *middleware) { m.route = route }
}

// WithTrace finds the trace of a request, so that the slowest one of each interval has an exemplar; an empty trace id is
// none. It is asked after the request, with the context that it came with.
func WithTrace(trace func(*http.Request) (traceID, spanID string)) Option {
	return func(m *middleware) { m.trace = trace }
}

type middleware struct {
	client *hdrsidecar.Client
	name   string
	route  func(*http.Request) string
	trace  func(*http.Request) (traceID, spanID string)
	series sync.Map // of key to *hdrsidecar.Recorder
	kept   atomic.Int64
}

// Above so many, which only a route with ids in it comes to, each request looks its series up: memory stays bounded.
const maxKept = 10_000

type key struct {
	method, route string
	status        int
}

// Middleware wraps a handler so that the service time of each request is recorded, from the first line of the handler to
// its end, in a series with the labels method, route and status. Route is the pattern of http.ServeMux without method and
// host, and "unmatched" where there is none: put the middleware around the mux, and between the two nothing that replaces
// the request (WithContext). A method that HTTP does not define is "other". A handler that panics before it
// answers is counted as 500, later with the status that it sent. A connection that was taken over (Hijack) is not counted.
//
// An error says that a series of that name cannot be.
func Middleware(client *hdrsidecar.Client, options ...Option) (func(http.Handler) http.Handler, error) {
	m := &middleware{client: client, name: "http_server_requests", route: pattern, trace: noTrace}
	for _, o := range options {
		o(m)
	}
	if _, err := m.recorder(key{http.MethodGet, "unmatched", http.StatusNotFound}); err != nil {
		return nil, err
	}
	return m.wrap, nil
}

func noTrace(*http.Request) (traceID, spanID string) { return "", "" }

func pattern(r *http.Request) string {
	path := r.Pattern
	if _, after, ok := strings.Cut(path, " "); ok {
		path = strings.TrimLeft(after, " \t")
	}
	if at := strings.IndexByte(path, '/'); at >= 0 {
		return path[at:]
	}
	return "unmatched"
}

func method(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE":
		return m
	}
	return "other"
}

func (m *middleware) recorder(k key) (*hdrsidecar.Recorder, error) {
	if r, ok := m.series.Load(k); ok {
		return r.(*hdrsidecar.Recorder), nil
	}
	labels := hdrsidecar.Labels{"method": k.method, "route": k.route, "status": strconv.Itoa(k.status)}
	r, err := m.client.Recorder(m.name, labels)
	if err == nil && m.kept.Load() < maxKept {
		if _, present := m.series.LoadOrStore(k, r); !present {
			m.kept.Add(1)
		}
	}
	return r, err
}

func (m *middleware) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := &response{ResponseWriter: w, status: http.StatusOK}
		ended := false
		defer func() {
			if !ended && !seen.written {
				seen.status = http.StatusInternalServerError
			}
			m.record(r, seen, time.Since(start))
		}()
		next.ServeHTTP(seen.as(w), r)
		ended = true
	})
}

func (m *middleware) record(r *http.Request, seen *response, took time.Duration) {
	if seen.hijacked {
		return
	}
	recorder, err := m.recorder(key{method(r.Method), m.route(r), seen.status})
	if err != nil {
		return // Only a route of the application's can be none: it is in no series rather than in a wrong one.
	}
	if traceID, spanID := m.trace(r); traceID != "" {
		recorder.RecordTraced(int64(took), traceID, spanID)
		return
	}
	recorder.RecordDuration(took)
}

// response sees the status.
type response struct {
	http.ResponseWriter
	status   int
	written  bool
	hijacked bool
}

func (s *response) WriteHeader(status int) {
	// An informational one is followed by another.
	if !s.written && (status >= 200 || status == http.StatusSwitchingProtocols) {
		s.status, s.written = status, true
	}
	s.ResponseWriter.WriteHeader(status)
}

func (s *response) Write(b []byte) (int, error) {
	s.written = true
	return s.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (s *response) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// as has the further methods that the server's own writer has: handlers ask for them by type.
func (s *response) as(w http.ResponseWriter) http.ResponseWriter {
	_, flushes := w.(http.Flusher)
	_, hijacks := w.(http.Hijacker)
	_, reads := w.(io.ReaderFrom)
	switch {
	case flushes && hijacks && reads: // HTTP/1
		return full{flusher{s}}
	case flushes: // HTTP/2
		return flusher{s}
	}
	return s
}

type flusher struct{ *response }

func (f flusher) Flush() {
	f.written = true
	f.ResponseWriter.(http.Flusher).Flush()
}

type full struct{ flusher }

func (f full) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := f.ResponseWriter.(http.Hijacker).Hijack()
	f.hijacked = f.hijacked || err == nil
	return conn, buffered, err
}

func (f full) ReadFrom(from io.Reader) (int64, error) {
	f.written = true
	return f.ResponseWriter.(io.ReaderFrom).ReadFrom(from)
}
