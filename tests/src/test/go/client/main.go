// Command client records what it is told by its input, with the client of client-lib/go, and answers each line:
//
//	record <file>   records the values of the file, a line each: series and value; answers "recorded <number>"
//	await <number>  answers "acknowledged" when the sidecar has so many values
//	health          answers with figures of the client
//	close           closes the client, answers "closed" or with the error, and ends
//
// With the argument chaos and those of io.hdrsidecar.tests.chaos.ChaosClient it is that program.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"hdrsidecar.io/go/hdrsidecar"
)

func main() {
	if len(os.Args) == 7 && os.Args[1] == "chaos" {
		chaos(os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6])
		return
	}
	client, err := hdrsidecar.New(hdrsidecar.FromEnvironment(), hdrsidecar.WithInterval(50*time.Millisecond),
		hdrsidecar.WithBackoff(20*time.Millisecond, 200*time.Millisecond), hdrsidecar.WithCloseTimeout(closeTimeout()))
	if err != nil {
		fail(err)
	}
	fmt.Println("ready")
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		command, argument, _ := strings.Cut(input.Text(), " ")
		switch command {
		case "record":
			fmt.Println("recorded", record(client, argument))
		case "await":
			number, err := strconv.ParseInt(argument, 10, 64)
			if err != nil {
				fail(err)
			}
			for client.Health().AcknowledgedValues < number {
				time.Sleep(5 * time.Millisecond)
			}
			fmt.Println("acknowledged")
		case "health":
			fmt.Printf("%+v\n", client.Health())
		case "close":
			if err := client.Close(); err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println("closed")
			return
		}
	}
}

// A test that closes a client without its sidecar need not wait.
func closeTimeout() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("CLOSE_TIMEOUT")); err == nil {
		return d
	}
	return time.Minute
}

// record shares the values out between four goroutines, which record at the same time.
func record(client *hdrsidecar.Client, file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		fail(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var wg sync.WaitGroup
	for share := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := share; i < len(lines); i += 4 {
				name, number, _ := strings.Cut(lines[i], " ")
				value, err := strconv.ParseInt(number, 10, 64)
				if err != nil {
					fail(err)
				}
				recorder, err := client.Recorder(name, hdrsidecar.Labels{"route": "/pay"})
				if err != nil {
					fail(err)
				}
				recorder.Record(value)
			}
		}()
	}
	wg.Wait()
	return len(lines)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
