package hdrsidecar

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

var seriesName = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$`)

// registry is which series there are. Its lock is held for no longer than a lookup takes, as the first call of
// RecordWithExpectedInterval takes it on the goroutine that records.
type registry struct {
	common    Labels
	maxSeries int
	figures   *figures

	mu        sync.RWMutex
	recorders map[string]*registered
	sampled   []*Recorder
	outgoing  []*outgoing // by id
}

type registered struct {
	config   recorderConfig
	recorder *Recorder
}

func newRegistry(c *config, f *figures) *registry {
	return &registry{common: c.labels, maxSeries: c.maxSeries, figures: f, recorders: map[string]*registered{}}
}

// Recorder is that of a series, the same one for the same name and labels: of latencies in nanoseconds, 1 ns to 1 h at 3
// significant digits, unless options say otherwise. The name has no unit: checkout, not checkout_seconds. It is an error to
// ask for a series that is there with other options.
//
// Above the limit of series (WithMaxSeries), new label sets of a name share one labelled overflow="true".
func (c *Client) Recorder(name string, labels Labels, options ...RecorderOption) (*Recorder, error) {
	return c.registry.recorder(name, labels, options)
}

func (g *registry) recorder(name string, labels Labels, options []RecorderOption) (*Recorder, error) {
	if !seriesName.MatchString(name) {
		return nil, fmt.Errorf("series name is not allowed: %q", name)
	}
	own, err := checkedLabels(labels)
	if err != nil {
		return nil, err
	}
	if err := g.checkOwn(own); err != nil {
		return nil, err
	}
	config, layout, err := checkedRecorder(options)
	if err != nil {
		return nil, fmt.Errorf("series %s: %w", name, err)
	}
	key := keyOf(name, own)
	g.mu.RLock()
	present := g.recorders[key]
	g.mu.RUnlock()
	if present == nil {
		present = g.register(key, name, own, config, layout)
	}
	if present.config != config {
		return nil, fmt.Errorf("series %s is there with other options: %+v, not %+v", name, present.config, config)
	}
	return present.recorder, nil
}

func (g *registry) checkOwn(own []wire.Label) error {
	further := 0
	for _, value := range g.common {
		if value != "" {
			further++
		}
	}
	for _, l := range own {
		switch common := g.common[l.Name]; {
		case common != "" && common != l.Value:
			return fmt.Errorf("label %s=%q contradicts the common label %q", l.Name, l.Value, common)
		case common != "":
			further--
		case l.Name == "corrected" && l.Value == "expected_interval":
			return errors.New(`label corrected="expected_interval" is set by RecordWithExpectedInterval`)
		}
	}
	// One is left for corrected.
	if n := len(own) + further; n > maxLabels-1 {
		return fmt.Errorf("at most %d labels, common ones included: %d", maxLabels-1, n)
	}
	return nil
}

func (g *registry) register(key, name string, own []wire.Label, config recorderConfig, layout *hist.Layout) *registered {
	g.mu.Lock()
	defer g.mu.Unlock()
	if present := g.recorders[key]; present != nil {
		return present
	}
	if len(g.recorders) >= g.maxSeries {
		g.figures.overflowedLookups.Add(1)
		own = overflow(own)
		// Those of other options are apart, so that each lookup gets what it asked for.
		key = fmt.Sprintf("%s\x00%+v", keyOf(name, own), config)
		if present := g.recorders[key]; present != nil {
			return present
		}
	}
	r := g.newRecorder(name, own, config, layout)
	r.makeCorrected = func() *Recorder {
		g.mu.Lock()
		defer g.mu.Unlock()
		if present := r.corrected.Load(); present != nil {
			return present
		}
		made := g.newRecorder(name, correctedLabels(own), config, layout)
		made.backFills = make(chan backFill, backFillQueue)
		r.corrected.Store(made)
		return made
	}
	g.recorders[key] = &registered{config: config, recorder: r}
	return g.recorders[key]
}

// correctedLabels has one label of that name, as a sidecar refuses a series that has two.
func correctedLabels(own []wire.Label) []wire.Label {
	labels := []wire.Label{{Name: "corrected", Value: "expected_interval"}}
	for _, l := range own {
		if l.Name != "corrected" {
			labels = append(labels, l)
		}
	}
	return labels
}

// overflow keeps apart what must not be added up.
func overflow(own []wire.Label) []wire.Label {
	var shared []wire.Label
	for _, l := range own {
		if l.Name == "kind" && (l.Value == "response" || l.Value == "service" || l.Value == "wait") {
			shared = append(shared, l)
		}
	}
	return append(shared, wire.Label{Name: "overflow", Value: "true"})
}

func keyOf(name string, labels []wire.Label) string {
	var key strings.Builder
	key.WriteString(name)
	for _, l := range labels {
		fmt.Fprintf(&key, "\x00%s\x00%s", l.Name, l.Value)
	}
	return key.String()
}

// newRecorder is sampled from now on; under the lock.
func (g *registry) newRecorder(name string, labels []wire.Label, config recorderConfig, layout *hist.Layout) *Recorder {
	s := &outgoing{id: uint32(len(g.outgoing)), definition: &wire.SeriesDefinition{
		Unit: byte(config.unit), Layout: layout, Name: name, Help: config.help, Labels: labels, Created: time.Now().UnixMilli(),
	}}
	r := &Recorder{
		counters: hist.NewCounters(layout), highest: layout.Highest(), perUnit: config.unit.perUnit(), figures: g.figures, series: s,
	}
	g.outgoing = append(g.outgoing, s)
	g.sampled = append(g.sampled, r)
	return r
}

// all are those to sample now.
func (g *registry) all() []*Recorder {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.sampled[:len(g.sampled):len(g.sampled)]
}

func (g *registry) count() int { return len(g.all()) }

// byID is nil for an id that nobody has.
func (g *registry) byID(id int64) *outgoing {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if id < 0 || id >= int64(len(g.outgoing)) {
		return nil
	}
	return g.outgoing[id]
}
