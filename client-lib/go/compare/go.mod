module hdrsidecar.io/go/hdrsidecar/compare

go 1.23.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.2.0
	hdrsidecar.io/go/hdrsidecar v0.0.0
)

replace hdrsidecar.io/go/hdrsidecar => ../
