package hdrsidecar

import (
	"errors"
	"maps"
	"time"
)

// ScheduledRecorder tells three times of a call apart, in three series of one name: kind="response", from the intended start
// to the end; kind="service", from the actual start to the end; kind="wait", from the intended start to the actual one.
// A call that starts early has no wait, and its response time is its service time.
type ScheduledRecorder struct{ response, service, wait *Recorder }

// Scheduled returns the three series of a name and labels, which must not have kind.
func (c *Client) Scheduled(name string, labels Labels, options ...RecorderOption) (*ScheduledRecorder, error) {
	if labels["kind"] != "" {
		return nil, errors.New("label kind tells response, service and wait time apart and cannot be set")
	}
	var recorders [3]*Recorder
	for i, kind := range []string{"response", "service", "wait"} {
		of := Labels{}
		maps.Copy(of, labels)
		of["kind"] = kind
		r, err := c.Recorder(name, of, options...)
		if err != nil {
			return nil, err
		}
		recorders[i] = r
	}
	return &ScheduledRecorder{response: recorders[0], service: recorders[1], wait: recorders[2]}, nil
}

// Record counts a call whose three times are known. An end before the actual start is a service time of 0 and counts as
// clamped.
func (s *ScheduledRecorder) Record(intended, actual, end time.Time) {
	waited, served := max(0, actual.Sub(intended)), end.Sub(actual)
	s.wait.RecordDuration(waited)
	s.service.RecordDuration(served)
	responded := waited + max(0, served)
	if responded < 0 { // Two of the longest durations.
		responded = 1<<63 - 1
	}
	s.response.RecordDuration(responded)
}

// Begin starts a call now; call what it returns at its end: defer pay.Begin(intended)().
func (s *ScheduledRecorder) Begin(intended time.Time) (end func()) {
	actual := time.Now()
	return func() { s.Record(intended, actual, time.Now()) }
}
