package hdrsidecar_test

import (
	"context"
	"fmt"
	"time"

	"hdrsidecar.io/go/hdrsidecar"
)

// Examples record for nobody, so that they need no sidecar.
var client, _ = hdrsidecar.New(hdrsidecar.WithEnabled(false))

func Example() {
	client, err := hdrsidecar.New(hdrsidecar.WithAddress("tcp://127.0.0.1:9924"), hdrsidecar.WithEnabled(false))
	if err != nil {
		panic(err)
	}
	checkout, err := client.Recorder("checkout", hdrsidecar.Labels{"route": "/pay"})
	if err != nil {
		panic(err)
	}
	checkout.RecordDuration(3 * time.Millisecond)
	fmt.Println(client.Health().Series, client.Close())
	// Output: 1 <nil>
}

func ExampleRunOpenLoad() {
	pay, err := client.Scheduled("pay", nil)
	if err != nil {
		panic(err)
	}
	rate, err := hdrsidecar.FixedRate(1000)
	if err != nil {
		panic(err)
	}
	calls := 0
	err = hdrsidecar.RunOpenLoad(context.Background(), rate, 5, func(intended time.Time) {
		defer pay.Begin(intended)()
		calls++
	})
	fmt.Println(calls, err)
	// Output: 5 <nil>
}
