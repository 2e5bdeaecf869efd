// The shop in Go: a hundred calls a second, of which one in 500 takes a quarter of a second.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"hdrsidecar.io/go/hdrsidecar"
)

func checkout() {
	if rand.IntN(500) == 0 {
		time.Sleep(250 * time.Millisecond)
	}
	time.Sleep(2*time.Millisecond + time.Duration(rand.ExpFloat64()*float64(time.Millisecond)))
}

func main() {
	client, err := hdrsidecar.New(hdrsidecar.FromEnvironment())
	if err != nil {
		log.Fatal(err)
	}
	requests, err := client.Recorder("shop_request", hdrsidecar.Labels{"route": "/checkout"})
	if err != nil {
		log.Fatal(err)
	}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	var underWay sync.WaitGroup
	calls := 0
	for tick := time.NewTicker(10 * time.Millisecond); stop.Err() == nil; {
		select {
		case <-tick.C:
			calls++
			underWay.Add(1)
			go func() {
				defer underWay.Done()
				requests.Time(checkout)
			}()
		case <-stop.Done():
		}
	}
	underWay.Wait() // What is recorded after Close reaches nobody.
	if err := client.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("shop calls=%d\n", calls)
}
