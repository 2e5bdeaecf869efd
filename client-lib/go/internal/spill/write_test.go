package spill

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

func one(t testing.TB) (wire.ID, []wire.Label, []Entry) {
	t.Helper()
	layout, err := hist.NewLayout(1, 3_600_000_000_000, 3)
	if err != nil {
		t.Fatal(err)
	}
	// The payload of the file in PROTOCOL.md, which Go would deflate to other bytes of the same meaning.
	payload, err := hex.DecodeString("1c8493140000003a7801012f00d0ff1c8493130000000700000000000000030000000000000001" +
		"0000034630b8a0003ff0000000000000c1ae0102ab080478db067b")
	if err != nil {
		t.Fatal(err)
	}
	var id wire.ID
	for n := range id {
		id[n] = byte(n * 0x11)
	}
	series := &wire.SeriesDefinition{Unit: 1, Layout: layout, Name: "checkout", Labels: []wire.Label{{Name: "route", Value: "/pay"}}, Created: 1760000000000}
	part := &wire.Part{Start: 1760000001000, End: 1760000002000, Count: 3, Sum: hist.Sum{Lo: 4000000}, Min: 1000000, Max: 1500000, Payload: payload}
	return id, []wire.Label{{Name: "service", Value: "shop"}}, []Entry{{Series: series, Sequence: 1, Part: part}}
}

func TestLog_ofPROTOCOL(t *testing.T) {
	document, err := os.ReadFile("../../../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?ms)^```spill\n(.*?)^```$").FindSubmatch(document)
	if shown == nil {
		t.Fatal("PROTOCOL.md shows no file")
	}
	id, common, entries := one(t)
	var got bytes.Buffer
	if err := Log(&got, id, common, entries); err != nil {
		t.Fatal(err)
	}
	if got.String() != string(shown[1]) {
		t.Errorf("%s\nnot %s", got.String(), shown[1])
	}
}

// No comment is longer than readers of logs take, and definitions are let go after some hundred.
func TestLog_ofManySeriesWithLongTexts_keepsItsLinesShort(t *testing.T) {
	id, _, entries := one(t)
	for n := range 500 {
		e := entries[0]
		s := *e.Series
		s.Name, s.Help = fmt.Sprintf("s%d", n), strings.Repeat("ü ", 50)
		e.Series, e.Sequence = &s, int64(n+2)
		entries = append(entries, e)
	}
	var got bytes.Buffer
	if err := Log(&got, id, nil, entries); err != nil {
		t.Fatal(err)
	}
	forgets := 0
	for _, line := range strings.Split(got.String(), "\n") {
		if strings.HasPrefix(line, "#") && len(line) >= 128 {
			t.Errorf("%d characters: %s", len(line), line)
		}
		if strings.HasPrefix(line, "#F ") {
			forgets++
		}
	}
	if forgets == 0 || !strings.Contains(got.String(), "\n#E 1f5 1f5 ") {
		t.Errorf("%d times #F", forgets)
	}
}

func TestWrite_file_isTheOwnersAndWhole(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	if err := Prepare(folder); err != nil {
		t.Fatal(err)
	}
	id, common, entries := one(t)
	at := time.Unix(1700000000, 0)
	// Something that has the name is not touched.
	taken := filepath.Join(folder, "spill-20231114T221320Z-"+id.Shown()+".hlog.tmp")
	if err := os.Symlink("/dev/null", taken); err != nil {
		t.Fatal(err)
	}
	path, err := Write(folder, id, common, entries, at)
	if err != nil {
		t.Fatal(err)
	}
	if name := filepath.Base(path); name != "spill-20231114T221321Z-"+id.Shown()+".hlog" {
		t.Error(name)
	}
	is, err := os.Stat(path)
	if err != nil || is.Mode().Perm() != 0o600 {
		t.Error(is.Mode(), err)
	}
	of, err := os.Stat(folder)
	if err != nil || of.Mode().Perm() != 0o700 {
		t.Error(of.Mode(), err)
	}
	if err := os.Chmod(folder, 0o770); err != nil {
		t.Fatal(err)
	}
	path, err = Write(folder, id, common, entries, at.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if is, err = os.Stat(path); err != nil || is.Mode().Perm() != 0o660 {
		t.Error(is.Mode(), err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*.tmp"))
	if err != nil || len(left) != 1 {
		t.Error(left, err)
	}
}

func TestWrite_folderThatIsGone_isAnError(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "gone")
	id, common, entries := one(t)
	if path, err := Write(folder, id, common, entries, time.Now()); err == nil || path != "" {
		t.Error(path, err)
	}
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if Prepare(folder) == nil {
		t.Error("a file is taken for a folder")
	}
}
