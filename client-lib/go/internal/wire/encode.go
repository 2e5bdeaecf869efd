package wire

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math"
	"sync"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
)

// Version of the protocol.
const Version = 1

// Types of frames.
const (
	Hello    = 1
	Welcome  = 2
	Series   = 3
	Interval = 4
	Ack      = 5
	Reject   = 6
	Goodbye  = 7
	Health   = 8
)

const (
	headerBytes = 8
	crcBytes    = 4
)

// What surrounds the payload in the body of an INTERVAL, and its exemplar at most.
const (
	intervalBytes    = 72
	maxExemplarBytes = 3 + 18 + 64 + 32
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Label is a name and its value.
type Label struct{ Name, Value string }

// SeriesDefinition is what a series id stands for.
type SeriesDefinition struct {
	Unit    byte
	Layout  *hist.Layout
	Name    string
	Help    string
	Labels  []Label
	Created int64 // milliseconds since the epoch; only spill files have it
}

// Figure is one of the client's own.
type Figure struct {
	Name  string
	Value int64
}

// ID is that of a client instance. It is a secret; show Shown.
type ID [16]byte

// frame appends a frame around a body.
func frame(to []byte, kind byte, body []byte) []byte {
	start := len(to)
	to = binary.BigEndian.AppendUint32(to, uint32(len(body)))
	to = append(to, kind, 0)
	to = binary.BigEndian.AppendUint16(to, uint16(crc32.Checksum(to[start:], castagnoli)))
	to = append(to, body...)
	return binary.BigEndian.AppendUint32(to, crc32.Checksum(to[start:], castagnoli))
}

func appendString(to []byte, text string) []byte {
	to = binary.BigEndian.AppendUint16(to, uint16(len(text)))
	return append(to, text...)
}

func appendLabels(to []byte, labels []Label) []byte {
	to = binary.BigEndian.AppendUint16(to, uint16(len(labels)))
	for _, l := range labels {
		to = appendString(appendString(to, l.Name), l.Value)
	}
	return to
}

// AppendHello appends the client's name.
func AppendHello(to []byte, instance ID, common []Label, token string) []byte {
	body := append([]byte("HDRS"), 0, Version)
	body = append(body, instance[:]...)
	return frame(to, Hello, appendString(appendLabels(body, common), token))
}

// AppendSeries appends what an id stands for.
func AppendSeries(to []byte, id uint32, s *SeriesDefinition) []byte {
	body := binary.BigEndian.AppendUint32(nil, id)
	body = append(body, s.Unit, byte(s.Layout.Digits()))
	body = binary.BigEndian.AppendUint64(body, uint64(s.Layout.Lowest()))
	body = binary.BigEndian.AppendUint64(body, uint64(s.Layout.Highest()))
	body = appendString(appendString(body, s.Name), s.Help)
	return frame(to, Series, appendLabels(body, s.Labels))
}

// AppendGoodbye appends that nothing more will come.
func AppendGoodbye(to []byte) []byte { return frame(to, Goodbye, nil) }

// AppendHealth appends the client's figures, at most 64.
func AppendHealth(to []byte, figures []Figure) []byte {
	body := binary.BigEndian.AppendUint16(nil, uint16(len(figures)))
	for _, f := range figures {
		body = binary.BigEndian.AppendUint64(appendString(body, f.Name), uint64(f.Value))
	}
	return frame(to, Health, body)
}

// Part is one INTERVAL; all of an accumulation, or a range of its buckets.
type Part struct {
	Start, End int64 // milliseconds since the epoch
	Count      int64
	Sum        hist.Sum
	Min, Max   int64
	Payload    []byte
	Exemplar   *hist.Exemplar
}

// AppendInterval appends a part under its number.
func AppendInterval(to []byte, sequence int64, series uint32, p *Part) []byte {
	body := make([]byte, 0, intervalBytes+len(p.Payload)+maxExemplarBytes)
	body = binary.BigEndian.AppendUint64(body, uint64(sequence))
	body = binary.BigEndian.AppendUint32(body, series)
	for _, v := range []uint64{uint64(p.Start), uint64(p.End), uint64(p.Count), p.Sum.Hi, p.Sum.Lo, uint64(p.Min), uint64(p.Max)} {
		body = binary.BigEndian.AppendUint64(body, v)
	}
	body = binary.BigEndian.AppendUint32(body, uint32(len(p.Payload)))
	body = append(body, p.Payload...)
	if e := p.Exemplar; e != nil {
		body = append(body, 1)
		body = binary.BigEndian.AppendUint16(body, uint16(18+len(e.TraceID)+len(e.SpanID)))
		body = binary.BigEndian.AppendUint64(body, uint64(e.Value))
		body = binary.BigEndian.AppendUint64(body, uint64(e.TimeMillis))
		body = append(append(body, byte(len(e.TraceID))), e.TraceID...)
		body = append(append(body, byte(len(e.SpanID))), e.SpanID...)
	}
	return frame(to, Interval, body)
}

// Parts encodes what a series recorded so that no body is longer than maxBody (1024 or more). level is how to deflate, 0
// for raw payloads.
func Parts(a *hist.Accumulation, start, end int64, maxBody, level int) []*Part {
	limit := maxBody - intervalBytes - maxExemplarBytes - 16 // 16: what deflate adds to what it cannot shorten
	var parts []*Part
	c := counts{layout: a.Layout()}
	flush := func() {
		if c.count > 0 {
			parts = append(parts, c.part(start, end, level))
		}
		c = counts{layout: a.Layout()}
	}
	a.Each(func(index int, count int64) {
		if c.count > 0 && c.bytesWith(index, count) > limit {
			flush()
		}
		c.add(index, count)
	})
	flush()
	fit(parts, a)
	return parts
}

// fit gives the parts the exact extremes, and sums that add up to the exact one. A part's sum is then that of its buckets'
// lowest values, and the last one takes the rest.
func fit(parts []*Part, a *hist.Accumulation) {
	if len(parts) == 0 {
		return
	}
	rest := a.Sum
	for i, p := range parts {
		if i < len(parts)-1 && !rest.Less(p.Sum) {
			rest = rest.Minus(p.Sum)
			continue
		}
		p.Sum, rest = rest, hist.Sum{}
	}
	parts[0].Min = a.Min
	last := parts[len(parts)-1]
	last.Max = a.Max
	last.Exemplar = a.Slowest
}

// counts is the counts of a payload while it is written.
type counts struct {
	layout      *hist.Layout
	bytes       []byte
	next        int // bucket behind the last written
	first, last int
	count       int64
	sum         hist.Sum
}

func (c *counts) bytesWith(index int, count int64) int {
	var scratch [20]byte
	return 40 + len(c.bytes) + len(appendZigZag(appendZigZag(scratch[:0], -int64(index-c.next)), count))
}

func (c *counts) add(index int, count int64) {
	switch empty := index - c.next; {
	case empty == 1:
		c.bytes = append(c.bytes, 0)
	case empty > 1:
		c.bytes = appendZigZag(c.bytes, -int64(empty))
	}
	c.bytes = appendZigZag(c.bytes, count)
	if c.count == 0 {
		c.first = index
	}
	c.next, c.last = index+1, index
	c.count += count
	c.sum.AddProduct(uint64(count), uint64(c.layout.LowestValue(index)))
}

func (c *counts) part(start, end int64, level int) *Part {
	raw := make([]byte, 0, 40+len(c.bytes))
	raw = binary.BigEndian.AppendUint32(raw, 0x1c849313)
	raw = binary.BigEndian.AppendUint32(raw, uint32(len(c.bytes)))
	raw = binary.BigEndian.AppendUint32(raw, 0)
	raw = binary.BigEndian.AppendUint32(raw, uint32(c.layout.Digits()))
	raw = binary.BigEndian.AppendUint64(raw, uint64(c.layout.Lowest()))
	raw = binary.BigEndian.AppendUint64(raw, uint64(c.layout.Highest()))
	raw = binary.BigEndian.AppendUint64(raw, math.Float64bits(1))
	raw = append(raw, c.bytes...)
	if level > 0 {
		raw = Deflate(raw, level)
	}
	return &Part{
		Start: start, End: end, Count: c.count, Sum: c.sum,
		Min: c.layout.LowestValue(c.first), Max: min(c.layout.HighestValue(c.last), c.layout.Highest()), Payload: raw,
	}
}

// A writer takes some hundred kilobytes to make.
var deflaters [10]sync.Pool

// Deflate makes the compressed form of a raw payload. level is 0 to 9; the reader of WELCOME refuses others.
func Deflate(raw []byte, level int) []byte {
	var stream bytes.Buffer
	writer, _ := deflaters[level].Get().(*zlib.Writer)
	if writer == nil {
		writer, _ = zlib.NewWriterLevel(&stream, level)
	} else {
		writer.Reset(&stream)
	}
	// A bytes.Buffer takes everything.
	_, _ = writer.Write(raw)
	_ = writer.Close()
	deflaters[level].Put(writer)
	to := binary.BigEndian.AppendUint32(nil, 0x1c849314)
	to = binary.BigEndian.AppendUint32(to, uint32(stream.Len()))
	return append(to, stream.Bytes()...)
}

// Deflated is a payload in its compressed form.
func Deflated(payload []byte) []byte {
	if binary.BigEndian.Uint32(payload) == 0x1c849314 {
		return payload
	}
	return Deflate(payload, 1)
}

// BodyBytes is the length of the body of the first frame.
func BodyBytes(frame []byte) int { return int(binary.BigEndian.Uint32(frame)) }

// IntervalBodyBytes is that of a part.
func IntervalBodyBytes(p *Part) int {
	n := intervalBytes + len(p.Payload)
	if e := p.Exemplar; e != nil {
		n += 3 + 18 + len(e.TraceID) + len(e.SpanID)
	}
	return n
}

// Shown is how an instance is shown: the first half of its SHA-256.
func (id ID) Shown() string {
	sum := sha256.Sum256(id[:])
	return hex.EncodeToString(sum[:16])
}

// appendZigZag writes LEB128 of the ZigZag code; a ninth byte carries eight bits.
func appendZigZag(to []byte, value int64) []byte {
	code := uint64(value)<<1 ^ uint64(value>>63)
	for i := 0; i < 8; i++ {
		if code < 0x80 {
			return append(to, byte(code))
		}
		to = append(to, byte(code)|0x80)
		code >>= 7
	}
	return append(to, byte(code))
}
