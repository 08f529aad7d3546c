module gmptrace.dev/bench

go 1.22
