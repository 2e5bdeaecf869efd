package wire

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
)

// Accumulation is what the part counts, to be encoded anew.
func (p *Part) Accumulation(layout *hist.Layout) (*hist.Accumulation, error) {
	payload := p.Payload
	if binary.BigEndian.Uint32(payload) == 0x1c849314 {
		from, err := zlib.NewReader(bytes.NewReader(payload[8:]))
		if err != nil {
			return nil, fmt.Errorf("own payload: %w", err)
		}
		if payload, err = io.ReadAll(from); err != nil {
			return nil, fmt.Errorf("own payload: %w", err)
		}
	}
	a := hist.NewAccumulation(layout)
	index := 0
	for counts := payload[40:]; len(counts) > 0; {
		var n int64
		n, counts = zigZag(counts)
		if n > 0 {
			a.AddBucket(index, n)
		}
		index += max(1, int(-n))
	}
	a.Sum = p.Sum
	a.Widen(p.Min, p.Max)
	a.AddExemplar(p.Exemplar)
	return a, nil
}

// zigZag reads what appendZigZag wrote, and says what is behind it.
func zigZag(from []byte) (int64, []byte) {
	var code uint64
	for i := 0; ; i++ {
		b := from[i]
		if i == 8 || b < 0x80 {
			code |= uint64(b) << (7 * i)
			return int64(code>>1) ^ -int64(code&1), from[i+1:]
		}
		code |= uint64(b&0x7f) << (7 * i)
	}
}
