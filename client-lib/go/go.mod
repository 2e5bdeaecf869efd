module hdrsidecar.io/go/hdrsidecar

go 1.23.0
