// Command compose-model prints what a Compose file says, as JSON, read and checked by the library of Docker Compose.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	model, err := read(os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "compose-model: %v\n", err)
		os.Exit(1)
	}
	fmt.Println(string(model))
}

func read(files []string) ([]byte, error) {
	options, err := cli.NewProjectOptions(files)
	if err != nil {
		return nil, err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return nil, err
	}
	return project.MarshalJSON()
}
