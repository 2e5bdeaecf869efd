// Package spill writes what a client could not deliver to a file, as PROTOCOL.md draws it: an HdrHistogram interval log
// whose comments have the numbers under which its intervals were, or would have been, sent.
package spill

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

const (
	// A reader keeps the definitions of series up to #F: those of a hundred, as it may have little memory.
	definedBytes = 64 << 10

	// Of a text in one comment, so that its line stays below 128 characters.
	textBytes = 88

	// How many names more are tried where the first is taken.
	moreNames = 9
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	units      = []string{"", "ns", "us", "ms", "s", "bytes", "none"}
)

// Entry is an interval with its number.
type Entry struct {
	Series   *wire.SeriesDefinition
	Sequence int64
	Part     *wire.Part
}

// Prepare makes the folder for its owner alone, unless it is there, and says if no file can be written to it.
func Prepare(folder string) error {
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
	}
	probe, err := os.CreateTemp(folder, ".writable-")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Write writes the entries, in ascending order of their numbers, to a file of the folder, which is there whole or not at
// all. The connection of the instance must have ended. Returns where it is.
func Write(folder string, instance wire.ID, common []wire.Label, entries []Entry, now time.Time) (string, error) {
	file, path, err := create(folder, instance, now)
	if err != nil {
		return "", err
	}
	err = fill(file, folder, instance, common, entries)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return "", errors.Join(err, ignoreMissing(os.Remove(file.Name())))
	}
	return path, flush(folder)
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// create takes another second where something has the name already; that is not touched.
func create(folder string, instance wire.ID, now time.Time) (*os.File, string, error) {
	for more := 0; ; more++ {
		stamp := now.UTC().Add(time.Duration(more) * time.Second).Format("20060102T150405Z")
		path := filepath.Join(folder, "spill-"+stamp+"-"+instance.Shown()+".hlog")
		file, err := os.OpenFile(path+".tmp", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil || more == moreNames || !errors.Is(err, os.ErrExist) {
			return file, path, err
		}
	}
}

func fill(file *os.File, folder string, instance wire.ID, common []wire.Label, entries []Entry) error {
	// For the group as well where the folder is the group's to write: a sidecar may be of another user.
	if of, err := os.Stat(folder); err == nil && of.Mode()&0o020 != 0 {
		if err := file.Chmod(0o660); err != nil {
			return err
		}
	}
	buffered := bufio.NewWriterSize(file, 256<<10)
	if err := Log(buffered, instance, common, entries); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.Sync()
}

// flush lets a new name outlive a power failure; not every system lets a folder be opened.
func flush(folder string) error {
	opened, err := os.Open(folder)
	if err != nil {
		return nil // The file is there.
	}
	_ = opened.Sync()
	return opened.Close()
}

// Log writes what the file has.
func Log(to io.Writer, instance wire.ID, common []wire.Label, entries []Entry) error {
	w := &writer{to: to, common: common, numbers: map[*wire.SeriesDefinition]int{}}
	w.raw("#[Histogram log format version 1.3]\n" +
		"#[StartTime: 0.000 (seconds since epoch), 1970-01-01T00:00:00Z]\n" +
		"#[BaseTime: 0.000 (seconds since epoch)]\n" +
		"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n")
	w.comment("#J 1 1", "")
	if len(common) > 0 {
		w.texts("#C ", strings.TrimPrefix(labelTexts(common), " "))
	}
	w.comment(fmt.Sprintf("#I 1 %x", instance[:]), "")
	for n, e := range entries {
		w.entry(n+1, e)
	}
	w.comment(fmt.Sprintf("#E %x %x", len(entries), len(entries)), "")
	return w.err
}

type writer struct {
	to      io.Writer
	err     error
	common  []wire.Label
	numbers map[*wire.SeriesDefinition]int
	series  int // the last number
	defined int // bytes
}

func (w *writer) raw(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.to, text)
	}
}

// comment also covers the line that follows it.
func (w *writer) comment(text, following string) {
	text += " "
	crc := crc32.Update(crc32.Checksum([]byte(text), castagnoli), castagnoli, []byte(following))
	w.raw(fmt.Sprintf("%s%08x\n%s", text, crc, following))
}

func (w *writer) texts(start, text string) {
	parts := (len(text) + textBytes - 1) / textBytes
	for n := range parts {
		part := text[n*textBytes : min(len(text), (n+1)*textBytes)]
		w.comment(fmt.Sprintf("%s%x %x %s", start, n+1, parts, part), "")
	}
}

func (w *writer) entry(record int, e Entry) {
	number := w.numbers[e.Series]
	if number == 0 {
		number = w.define(e.Series)
	}
	p := e.Part
	line := fmt.Sprintf("Tag=%s,%s,%s,%s,%s\n", w.tag(e.Series), seconds(p.Start), seconds(p.End-p.Start),
		maximum(e.Series.Unit, p.Max), base64.StdEncoding.EncodeToString(wire.Deflated(p.Payload)))
	sum := fmt.Sprintf("%x", p.Sum.Lo)
	if p.Sum.Hi != 0 {
		sum = fmt.Sprintf("%x%016x", p.Sum.Hi, p.Sum.Lo)
	}
	w.comment(fmt.Sprintf("#R %x %x 1 %x %s %x %x", record, number, e.Sequence, sum, p.Min, p.Max), line)
}

func (w *writer) define(s *wire.SeriesDefinition) int {
	if w.defined > definedBytes {
		w.comment(fmt.Sprintf("#F %x", w.series+1), "")
		w.defined = 0
		clear(w.numbers)
	}
	w.series++
	w.numbers[s] = w.series
	l := s.Layout
	text := fmt.Sprintf("name=%s unit=%s lowest=%d digits=%d highest=%d created=%d help=%s%s", s.Name, units[s.Unit], l.Lowest(),
		l.Digits(), l.Highest(), s.Created, percent(s.Help, ""), labelTexts(w.all(s)))
	w.texts(fmt.Sprintf("#S %x ", w.series), text)
	w.defined += len(text)
	return w.series
}

// all are the labels of a series and the common ones, each once, by name.
func (w *writer) all(s *wire.SeriesDefinition) []wire.Label {
	all := slices.Concat(s.Labels, w.common)
	slices.SortFunc(all, func(a, b wire.Label) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(all) // A label may be both, and has then the same value.
}

func labelTexts(labels []wire.Label) string {
	var text strings.Builder
	for _, l := range labels {
		text.WriteString(" label." + l.Name + "=" + percent(l.Value, ""))
	}
	return text.String()
}

func (w *writer) tag(s *wire.SeriesDefinition) string {
	var labels []string
	for _, l := range w.all(s) {
		labels = append(labels, l.Name+"="+percent(l.Value, ",;={}~\""))
	}
	if len(labels) == 0 {
		return s.Name
	}
	return s.Name + "{" + strings.Join(labels, ";") + "}"
}

func percent(text, also string) string {
	var encoded strings.Builder
	for i := range len(text) {
		if b := text[i]; b > ' ' && b < 0x7f && b != '%' && !strings.Contains(also, string(b)) {
			encoded.WriteByte(b)
		} else {
			fmt.Fprintf(&encoded, "%%%02x", b)
		}
	}
	return encoded.String()
}

func seconds(millis int64) string { return fmt.Sprintf("%d.%03d", millis/1000, millis%1000) }

// maximum is for other tools, which take times for milliseconds.
func maximum(unit byte, value int64) string {
	shown := float64(value)
	switch unit {
	case 1:
		shown /= 1e6
	case 2:
		shown /= 1e3
	}
	return strconv.FormatFloat(shown, 'f', 3, 64)
}
