package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hdrsidecar.io/go/hdrsidecar"
)

// What io.hdrsidecar.tests.chaos.ChaosClient says of itself holds for this program, too.
const (
	chaosSeries  = 50
	chaosThreads = 4
	batch        = 25
	batchEvery   = 5 * time.Millisecond
	finish       = 'f'
	exitNoTruth  = 3
	exitOrphan   = 4
	exitSIGTERM  = 128 + 15

	look     = 10 * time.Millisecond
	standing = 400 * time.Millisecond // longest that the loads stand still for the ledger, and that they then run
)

type chaosProgram struct {
	client    *hdrsidecar.Client
	recorders []*hdrsidecar.Recorder
	recording sync.RWMutex // read by each load while it has values on paper that are not recorded yet
	recorded  [chaosThreads]atomic.Int64
	stopped   atomic.Bool
	loads     sync.WaitGroup
	witness   sync.WaitGroup
	ledger    *os.File
	said      string
}

// chaos has the arguments of ChaosClient: address, label run, name of the files, their folder, seed.
func chaos(address, run, life, folder, seed string) {
	number, err := strconv.ParseInt(seed, 10, 64)
	check(err)
	client, err := hdrsidecar.New(hdrsidecar.WithAddress(address), hdrsidecar.WithCommonLabels(hdrsidecar.Labels{"run": run}),
		hdrsidecar.WithInterval(200*time.Millisecond), hdrsidecar.WithStallTimeout(2*time.Second),
		hdrsidecar.WithBackoff(20*time.Millisecond, 500*time.Millisecond),
		hdrsidecar.WithSpillFolder(filepath.Join(folder, "spill")))
	check(err)
	program := &chaosProgram{client: client}
	for n := range chaosSeries {
		labels := hdrsidecar.Labels{"series": fmt.Sprintf("%02d", n)}
		recorder, err := client.Recorder("chaos", labels, hdrsidecar.WithDigits(2))
		check(err)
		program.recorders = append(program.recorders, recorder)
	}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	program.ledger = create(filepath.Join(folder, life+".ledger"))
	for n := range chaosThreads {
		truth := create(filepath.Join(folder, fmt.Sprintf("%s.thread%d.truth", life, n)))
		program.loads.Add(1)
		go program.load(n, truth, rand.New(rand.NewPCG(uint64(number), uint64(n))))
	}
	program.witness.Add(1)
	go program.look()
	told := make(chan byte, 1)
	go func() {
		var one [1]byte
		_, _ = os.Stdin.Read(one[:]) // Nothing is read at the end: nobody is there any more.
		told <- one[0]
	}()
	select {
	case <-terminated:
		program.close(2 * time.Second)
		os.Exit(exitSIGTERM)
	case word := <-told:
		if word != finish {
			os.Exit(exitOrphan)
		}
		program.close(90 * time.Second)
	}
}

// load writes batches to its truth file, and then to the recorders.
func (p *chaosProgram) load(n int, truth *os.File, random *rand.Rand) {
	defer p.loads.Done()
	bytes := make([]byte, 0, 8*batch)
	for tick := time.NewTicker(batchEvery); !p.stopped.Load(); <-tick.C {
		p.recording.RLock()
		bytes = bytes[:0]
		for range batch {
			bytes = binary.BigEndian.AppendUint64(bytes, uint64(random.IntN(chaosSeries))<<56|uint64(someTime(random)))
		}
		if _, err := truth.Write(bytes); err != nil {
			noTruth(err)
		}
		for at := 0; at < len(bytes); at += 8 {
			entry := binary.BigEndian.Uint64(bytes[at:])
			p.recorders[entry>>56].Record(int64(entry & (1<<56 - 1)))
		}
		p.recorded[n].Add(batch)
		p.recording.RUnlock()
	}
}

// someTime is log-normal around 1 ms, and of every fiftieth a Pareto tail up to the hour.
func someTime(random *rand.Rand) int64 {
	value := 1e6 * math.Exp(1.5*random.NormFloat64())
	if random.Float64() < 0.02 {
		value *= math.Pow(1-random.Float64(), -1/0.9)
	}
	return int64(min(float64(time.Hour), value))
}

// look writes down which values must have been acknowledged: while nothing is recorded, all are when their number is.
func (p *chaosProgram) look() {
	defer p.witness.Done()
	for !p.stopped.Load() {
		p.recording.Lock()
		for until := time.Now().Add(standing); time.Now().Before(until); time.Sleep(look) {
			all, each := p.sum()
			if p.health().AcknowledgedValues == all {
				p.write("settled" + each)
				break
			}
		}
		p.recording.Unlock()
		for until := time.Now().Add(standing); time.Now().Before(until) && !p.stopped.Load(); time.Sleep(look) {
			p.health()
		}
	}
}

func (p *chaosProgram) sum() (all int64, each string) {
	for n := range p.recorded {
		values := p.recorded[n].Load()
		all += values
		each += fmt.Sprintf(" %d", values)
	}
	return all, each
}

// health writes it down when it is another.
func (p *chaosProgram) health() hdrsidecar.Health {
	health := p.client.Health()
	lost := health.LoopFailures
	for _, values := range health.LostValues {
		lost += values
	}
	line := fmt.Sprintf("health %d %d %d %d %d", health.HarvestedValues, health.AcknowledgedValues, health.PendingIntervals,
		health.InFlightIntervals, lost)
	if line != p.said {
		p.said = line
		p.write(line)
	}
	return health
}

func (p *chaosProgram) close(timeout time.Duration) {
	p.stopped.Store(true)
	p.loads.Wait()
	p.witness.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	err := p.client.CloseContext(ctx)
	health := p.health()
	undelivered := health.HarvestedValues - health.AcknowledgedValues - health.SpilledValues
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	p.write(fmt.Sprintf("closed %d %d", undelivered, health.SpilledValues))
}

func (p *chaosProgram) write(line string) {
	if _, err := p.ledger.WriteString(line + "\n"); err != nil {
		noTruth(err)
	}
}

func create(path string) *os.File {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		noTruth(err)
	}
	return file
}

func noTruth(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(exitNoTruth)
}

func check(err error) {
	if err != nil {
		fail(err)
	}
}
