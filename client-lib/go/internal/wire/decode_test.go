package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
)

// Frames of the session in PROTOCOL.md.
const (
	welcomeHex = "000000130200f19d000100000000000000000010000000000040" + "0198da9286"
	ackHex     = "000000080500bbe4000000000000000173" + "4387ca"
	helloHex   = "0000002f01004545484452530001" + "00112233445566778899aabbccddeeff" + "0001000773657276696365000473686f70" + "00067365637265746927d57d"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRead_ofPROTOCOL(t *testing.T) {
	from := bytes.NewReader(unhex(t, welcomeHex+ackHex))
	if m, err := Read(from); err != nil || m != (WelcomeFrame{MaxBody: 1 << 20, MaxInFlight: 64, DeflateLevel: 1}) {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := Read(from); err != nil || m != (AckFrame{Sequence: 1}) {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestAppendHello_ofPROTOCOL(t *testing.T) {
	var id ID
	copy(id[:], unhex(t, "00112233445566778899aabbccddeeff"))
	got := hex.EncodeToString(AppendHello(nil, id, []Label{{"service", "shop"}}, "secret"))
	if got != helloHex {
		t.Errorf("%s\nnot %s", got, helloHex)
	}
}

// Both checks together notice every flipped bit.
func TestRead_flippedBit_isMalformed(t *testing.T) {
	whole := unhex(t, welcomeHex)
	for bit := range len(whole) * 8 {
		damaged := bytes.Clone(whole)
		damaged[bit/8] ^= 1 << (bit % 8)
		if m, err := Read(bytes.NewReader(damaged)); !errors.Is(err, ErrMalformed) {
			t.Errorf("bit %d: %+v, %v", bit, m, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(unhex(f, welcomeHex))
	f.Add(unhex(f, ackHex))
	f.Fuzz(func(t *testing.T, data []byte) {
		from := bytes.NewReader(data)
		for {
			m, err := Read(from)
			if err == nil {
				continue
			}
			if m != nil || !errors.Is(err, ErrMalformed) && err != io.EOF && err != io.ErrUnexpectedEOF {
				t.Fatal(m, err)
			}
			if strings.Contains(err.Error(), "%!") {
				t.Fatal(err)
			}
			return
		}
	})
}
