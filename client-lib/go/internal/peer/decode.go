package peer

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Decode reads a payload of either form: buckets that are not empty, and all values.
func Decode(payload []byte) (buckets map[int]int64, all int64, err error) {
	if binary.BigEndian.Uint32(payload) == 0x1c849314 {
		from, err := zlib.NewReader(bytes.NewReader(payload[8:]))
		if err != nil {
			return nil, 0, err
		}
		if payload, err = io.ReadAll(from); err != nil {
			return nil, 0, err
		}
	}
	if binary.BigEndian.Uint32(payload) != 0x1c849313 || int(binary.BigEndian.Uint32(payload[4:])) != len(payload)-40 {
		return nil, 0, fmt.Errorf("payload %x", payload)
	}
	buckets = map[int]int64{}
	index := 0
	for counts := payload[40:]; len(counts) > 0; {
		var code uint64
		for n := 0; ; n++ {
			b := counts[0]
			counts = counts[1:]
			if n == 8 {
				code |= uint64(b) << 56
				break
			}
			code |= uint64(b&0x7f) << (7 * n)
			if b < 0x80 {
				break
			}
		}
		switch n := int64(code>>1) ^ -int64(code&1); {
		case n > 0:
			buckets[index] = n
			all += n
			index++
		case n == 0:
			index++
		default:
			index -= int(n)
		}
	}
	return buckets, all, nil
}

type reader struct {
	bytes []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.bytes) {
		r.short = true
		return make([]byte, n)
	}
	taken := r.bytes[:n]
	r.bytes = r.bytes[n:]
	return taken
}

func (r *reader) number(bytes int) (n uint64) {
	for _, b := range r.take(bytes) {
		n = n<<8 | uint64(b)
	}
	return n
}

func (r *reader) text() string { return string(r.take(int(r.number(2)))) }

func (r *reader) labels() string {
	var pairs []string
	for n := r.number(2); n > 0; n-- {
		name := r.text()
		pairs = append(pairs, name+"="+r.text())
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ",")
}

func (r *reader) err() error {
	if r.short {
		return fmt.Errorf("a frame ends early")
	}
	return nil
}
