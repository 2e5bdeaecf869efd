package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"unicode/utf8"
)

// MaxBody is the longest body that a client takes. WELCOME, ACK and REJECT are short.
const MaxBody = 128 << 10

// ErrMalformed is what each error about bytes of a sidecar is.
var ErrMalformed = errors.New("malformed frame of the sidecar")

// Message is a WelcomeFrame, AckFrame or RejectFrame.
type Message any

// WelcomeFrame says what is settled, and the limits.
type WelcomeFrame struct {
	Settled      int64
	MaxBody      int
	MaxInFlight  int
	DeflateLevel int
}

// AckFrame settles every interval up to a number.
type AckFrame struct{ Sequence int64 }

// Scopes of a REJECT.
const (
	ScopeConnection = 0
	ScopeSeries     = 1
	ScopeInterval   = 2
)

// RejectFrame refuses a connection, a series or an interval.
type RejectFrame struct {
	Scope     byte
	Reference int64
	Reason    string
	Message   string
}

// smallest body that any interval can be split to fit
const minBody = 1024

var reasons = []string{
	"", "bad_magic", "unsupported_version", "bad_header", "frame_too_large", "bad_crc", "unknown_frame", "unexpected_frame",
	"bad_frame", "unknown_series", "bad_series", "series_conflict", "configuration_limit", "bad_payload", "layout_mismatch",
	"count_mismatch", "count_overflow", "bad_time", "series_limit", "unauthorized", "replaced", "connection_limit", "idle",
	"series_forgotten", "memory_limit", "sequence_gap", "instance_limit",
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}

// Read reads one frame. Header, length and checksum are checked before memory is taken. Its errors are those of the
// reader, io.ErrUnexpectedEOF within a frame, and ErrMalformed.
func Read(from io.Reader) (Message, error) {
	var header [headerBytes]byte
	if _, err := io.ReadFull(from, header[:]); err != nil {
		return nil, err
	}
	if uint16(crc32.Checksum(header[:6], castagnoli)) != binary.BigEndian.Uint16(header[6:]) || header[5] != 0 {
		return nil, malformed("check of the header is wrong")
	}
	length := binary.BigEndian.Uint32(header[:])
	if length > MaxBody {
		return nil, malformed("body of %d bytes, at most %d are read", length, MaxBody)
	}
	rest := make([]byte, int(length)+crcBytes)
	if _, err := io.ReadFull(from, rest); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	body := rest[:length]
	crc := crc32.Update(crc32.Checksum(header[:], castagnoli), castagnoli, body)
	if crc != binary.BigEndian.Uint32(rest[length:]) {
		return nil, malformed("CRC-32C is wrong")
	}
	switch header[4] {
	case Welcome:
		return welcome(body)
	case Ack:
		if len(body) < 8 {
			return nil, malformed("ACK of %d bytes", len(body))
		}
		return AckFrame{Sequence: int64(binary.BigEndian.Uint64(body))}, nil
	case Reject:
		return reject(body)
	default:
		return nil, malformed("type %d is not one that a sidecar sends", header[4])
	}
}

func welcome(body []byte) (Message, error) {
	if len(body) < 19 {
		return nil, malformed("WELCOME of %d bytes", len(body))
	}
	version := binary.BigEndian.Uint16(body)
	w := WelcomeFrame{
		Settled:      int64(binary.BigEndian.Uint64(body[2:])),
		MaxBody:      int(int32(binary.BigEndian.Uint32(body[10:]))),
		MaxInFlight:  int(int32(binary.BigEndian.Uint32(body[14:]))),
		DeflateLevel: int(body[18]),
	}
	if version != Version || w.Settled < 0 || w.MaxBody < minBody || w.MaxInFlight < 1 || w.DeflateLevel > 9 {
		return nil, malformed("WELCOME with limits that this client cannot keep: version %d, %+v", version, w)
	}
	return w, nil
}

func reject(body []byte) (Message, error) {
	if len(body) < 13 {
		return nil, malformed("REJECT of %d bytes", len(body))
	}
	r := RejectFrame{Scope: body[0], Reference: int64(binary.BigEndian.Uint64(body[1:])), Reason: "unknown"}
	if code := int(binary.BigEndian.Uint16(body[9:])); code > 0 && code < len(reasons) {
		r.Reason = reasons[code]
	}
	length := int(binary.BigEndian.Uint16(body[11:]))
	if r.Scope > ScopeInterval || len(body) < 13+length || !utf8.Valid(body[13:13+length]) {
		return nil, malformed("REJECT with scope %d and a message of %d bytes in %d", r.Scope, length, len(body))
	}
	r.Message = string(body[13 : 13+length])
	return r, nil
}
