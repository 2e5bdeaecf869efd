module shop

go 1.23.0

require hdrsidecar.io/go/hdrsidecar v0.0.0

replace hdrsidecar.io/go/hdrsidecar => ../../../client-lib/go
