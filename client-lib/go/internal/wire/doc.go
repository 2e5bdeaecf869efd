// Package wire writes the frames that a client sends and reads those that a sidecar answers with: PROTOCOL.md, version 1.
package wire
