// Package peer is a sidecar for tests: what PROTOCOL.md asks of one, written apart from package wire, and faults by a
// script. It is in no program of a user's.
package peer

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Merged is what a series has.
type Merged struct {
	Count    int64
	Sum      *big.Int
	Min, Max int64
	Buckets  map[int]int64
	Unit     byte
	Digits   byte
	Help     string
	TraceID  string
}

// Sidecar listens on a free port and merges what comes, each number of an instance once.
type Sidecar struct {
	t        testing.TB
	listener net.Listener

	mu         sync.Mutex
	maxBody    int
	window     int
	level      byte
	cut        func() bool              // whether, nil for never, the connection ends in the midst of this frame
	loseAnswer func() bool              // whether it ends before this answer
	refuse     func(series string) bool // nil for none
	series     map[string]*Merged
	settled    map[[16]byte]int64
	common     string
	token      string
	health     map[string]int64
	healths    int
	goodbyes   int
	open       []net.Conn
	faults     int
}

// Start begins one that ends with its test.
func Start(t testing.TB) *Sidecar {
	t.Helper()
	return StartOn(t, "127.0.0.1:0")
}

// StartOn is the same at an address.
func StartOn(t testing.TB, address string) *Sidecar {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return StartWith(t, listener)
}

// StartWith is the same with a listener, which may speak TLS.
func StartWith(t testing.TB, listener net.Listener) *Sidecar {
	t.Helper()
	s := &Sidecar{
		t: t, listener: listener, maxBody: 1 << 20, window: 64, level: 1,
		series: map[string]*Merged{}, settled: map[[16]byte]int64{}, health: map[string]int64{},
	}
	go s.accept()
	t.Cleanup(s.Stop)
	return s
}

// Limits are what WELCOME says from now on.
func (s *Sidecar) Limits(maxBody, window int, level byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.maxBody, s.window, s.level = maxBody, window, level
}

// Refuse refuses series for good.
func (s *Sidecar) Refuse(of func(series string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = of
}

// Disturb ends connections in the midst of frames and before answers, so many of a hundred each, by a seed.
func (s *Sidecar) Disturb(seed uint64, percent int) {
	random := rand.New(rand.NewPCG(seed, 22))
	now := func() bool {
		if random.IntN(100) >= percent {
			return false
		}
		s.faults++
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut, s.loseAnswer = now, now
	if percent == 0 {
		s.cut, s.loseAnswer = nil, nil
	}
}

// SetSettled claims another last number of every instance.
func (s *Sidecar) SetSettled(f func(settled int64) int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, settled := range s.settled {
		s.settled[id] = f(settled)
	}
}

// Disconnect ends all connections.
func (s *Sidecar) Disconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range s.open {
		_ = conn.Close()
	}
	s.open = nil
}

// Stop ends it.
func (s *Sidecar) Stop() {
	_ = s.listener.Close()
	s.Disconnect()
}

// Address is for clients.
func (s *Sidecar) Address() string { return "tcp://" + s.HostPort() }

// HostPort is the same without a scheme.
func (s *Sidecar) HostPort() string { return s.listener.Addr().String() }

// Names are those of all series: name{label=value,...}, by name of label.
func (s *Sidecar) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name := range s.series {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Series is a copy of what one has; empty for one that is not there.
func (s *Sidecar) Series(name string) Merged {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.series[name]
	if m == nil {
		return Merged{}
	}
	c := *m
	c.Sum, c.Buckets = new(big.Int).Set(m.Sum), map[int]int64{}
	for i, n := range m.Buckets {
		c.Buckets[i] = n
	}
	return c
}

// Told is the common labels and the token of the last HELLO.
func (s *Sidecar) Told() (common, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.common, s.token
}

// Health is a figure of the last HEALTH; -1 for none.
func (s *Sidecar) Health(name string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.health[name]; ok {
		return v
	}
	return -1
}

// Healths is how many HEALTH there were.
func (s *Sidecar) Healths() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.healths
}

// Goodbyes and faults so far.
func (s *Sidecar) Goodbyes() (goodbyes, faults int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.goodbyes, s.faults
}

func (s *Sidecar) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.open = append(s.open, conn)
		s.mu.Unlock()
		go func() {
			defer conn.Close()
			if err := s.serve(conn); err != nil {
				s.t.Errorf("sidecar of the test: %v", err)
			}
		}()
	}
}

// serve returns an error for what a client must not send.
func (s *Sidecar) serve(conn net.Conn) error {
	var instance [16]byte
	names := map[uint32]string{}
	refused := map[uint32]bool{}
	for first := true; ; first = false {
		kind, body, err := s.read(conn)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if first != (kind == 1) {
			return fmt.Errorf("frame %d, first: %v", kind, first)
		}
		s.mu.Lock()
		answer, end, err := s.frame(kind, body, &instance, names, refused)
		lost := s.loseAnswer != nil && len(answer) > 0 && s.loseAnswer()
		s.mu.Unlock()
		if err != nil {
			return err
		}
		if lost {
			return nil
		}
		if _, err := conn.Write(answer); err != nil || end {
			return nil // The client has gone.
		}
	}
}

// read reads a frame, or ends in its midst.
func (s *Sidecar) read(conn net.Conn) (kind byte, body []byte, err error) {
	var header [8]byte
	if _, err := io.ReadFull(conn, header[:]); err != nil {
		return 0, nil, io.EOF
	}
	s.mu.Lock()
	cut, maxBody := s.cut != nil && s.cut(), s.maxBody
	s.mu.Unlock()
	length := binary.BigEndian.Uint32(header[:])
	if length > uint32(maxBody) || header[5] != 0 || uint16(crc32.Checksum(header[:6], castagnoli)) != binary.BigEndian.Uint16(header[6:]) {
		return 0, nil, fmt.Errorf("header %x, at most %d bytes", header, maxBody)
	}
	rest := make([]byte, length+4)
	if cut {
		return 0, nil, io.EOF
	}
	if _, err := io.ReadFull(conn, rest); err != nil {
		return 0, nil, io.EOF
	}
	body = rest[:length]
	if crc32.Checksum(append(header[:], body...), castagnoli) != binary.BigEndian.Uint32(rest[length:]) {
		return 0, nil, fmt.Errorf("checksum of frame %d", header[4])
	}
	return header[4], body, nil
}

func frame(kind byte, body []byte) []byte {
	to := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	to = append(to, kind, 0)
	to = binary.BigEndian.AppendUint16(to, uint16(crc32.Checksum(to, castagnoli)))
	to = append(to, body...)
	return binary.BigEndian.AppendUint32(to, crc32.Checksum(to, castagnoli))
}

func ack(sequence int64) []byte {
	return frame(5, binary.BigEndian.AppendUint64(nil, uint64(sequence)))
}

func reject(scope byte, reference uint64, reason uint16) []byte {
	body := binary.BigEndian.AppendUint64([]byte{scope}, reference)
	body = binary.BigEndian.AppendUint16(body, reason)
	return frame(6, append(body, 0, 2, 'n', 'o'))
}

// frame is under the lock.
func (s *Sidecar) frame(kind byte, body []byte, instance *[16]byte, names map[uint32]string, refused map[uint32]bool) (answer []byte, end bool, err error) {
	r := &reader{bytes: body}
	switch kind {
	case 1:
		if string(r.take(4)) != "HDRS" || r.number(2) != 1 {
			return nil, true, fmt.Errorf("HELLO %x", body)
		}
		copy(instance[:], r.take(16))
		s.common, s.token = r.labels(), r.text()
		welcome := []byte{0, 1}
		welcome = binary.BigEndian.AppendUint64(welcome, uint64(s.settled[*instance]))
		welcome = binary.BigEndian.AppendUint32(welcome, uint32(s.maxBody))
		welcome = binary.BigEndian.AppendUint32(welcome, uint32(s.window))
		s.settled[*instance] += 0 // from now on it is one that SetSettled knows
		return frame(2, append(welcome, s.level)), false, r.err()
	case 3:
		id := uint32(r.number(4))
		m := &Merged{Sum: new(big.Int), Min: 1<<63 - 1, Max: -1, Buckets: map[int]int64{}, Unit: byte(r.number(1)), Digits: byte(r.number(1))}
		r.take(16)
		name := r.text()
		m.Help = r.text()
		if labels := r.labels(); labels != "" {
			name += "{" + labels + "}"
		}
		names[id] = name
		if s.refuse != nil && s.refuse(name) {
			refused[id] = true
			return reject(1, uint64(id), 18), false, r.err()
		}
		if s.series[name] == nil {
			s.series[name] = m
		}
		return nil, false, r.err()
	case 4:
		return s.interval(r, *instance, names, refused)
	case 7:
		s.goodbyes++
		return ack(s.settled[*instance]), true, r.err()
	case 8:
		s.health = map[string]int64{}
		s.healths++
		for n := r.number(2); n > 0; n-- {
			name := r.text()
			s.health[name] = int64(r.number(8))
		}
		return nil, false, r.err()
	}
	return nil, true, fmt.Errorf("frame of type %d", kind)
}

func (s *Sidecar) interval(r *reader, instance [16]byte, names map[uint32]string, refused map[uint32]bool) ([]byte, bool, error) {
	sequence, id := int64(r.number(8)), uint32(r.number(4))
	if sequence <= s.settled[instance] {
		return ack(s.settled[instance]), false, nil
	}
	s.settled[instance] = sequence
	if refused[id] {
		return append(reject(2, uint64(sequence), 9), ack(sequence)...), false, nil
	}
	m := s.series[names[id]]
	if m == nil {
		return nil, true, fmt.Errorf("series %d was not declared", id)
	}
	start, end := int64(r.number(8)), int64(r.number(8))
	count := int64(r.number(8))
	sum := new(big.Int).SetBytes(r.take(16))
	low, high := int64(r.number(8)), int64(r.number(8))
	payload := r.take(int(r.number(4)))
	if len(r.bytes) > 0 {
		r.take(1 + 2 + 8 + 8)
		m.TraceID = string(r.take(int(r.number(1))))
		r.take(int(r.number(1)))
	}
	if err := r.err(); err != nil {
		return nil, true, err
	}
	buckets, all, err := Decode(payload)
	if err != nil || all != count || count < 1 || start > end || low > high {
		return nil, true, fmt.Errorf("interval %d of %s: %d values in the payload, not %d; %d to %d; %d to %d; %w",
			sequence, names[id], all, count, start, end, low, high, err)
	}
	for i, n := range buckets {
		m.Buckets[i] += n
	}
	m.Count += count
	m.Sum.Add(m.Sum, sum)
	m.Min, m.Max = min(m.Min, low), max(m.Max, high)
	return ack(sequence), false, nil
}
