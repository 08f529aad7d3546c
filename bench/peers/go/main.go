// Command gobench runs one of the workloads of gmptrace's bench in Go: the same work, the same
// result, the same lines of output as the Java worker (see Worker.java).
//
//	gobench WORKLOAD PROCS OPERATIONS WARMUP_MS MIN_RUNS MAX_RUNS BUDGET_MS [TRACE_FILE]
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"strconv"
	"syscall"
	"time"
)

type usage struct {
	wall                   time.Time
	cpu                    int64
	alloc                  uint64
	voluntary, involuntary int64
	maxrss                 int64
}

func now() usage {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		fail(err)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{
		wall:        time.Now(),
		cpu:         r.Utime.Nano() + r.Stime.Nano(),
		alloc:       m.TotalAlloc,
		voluntary:   r.Nvcsw,
		involuntary: r.Nivcsw,
		maxrss:      r.Maxrss * 1024,
	}
}

func fail(v any) {
	fmt.Fprintln(os.Stderr, "gobench:", v)
	os.Exit(1)
}

func number(i int) int {
	n, err := strconv.Atoi(os.Args[i])
	if err != nil {
		fail(err)
	}
	return n
}

func main() {
	if len(os.Args) < 8 {
		fail("usage: gobench WORKLOAD PROCS OPERATIONS WARMUP_MS MIN_RUNS MAX_RUNS BUDGET_MS [TRACE_FILE]")
	}
	name, procs, n := os.Args[1], number(2), number(3)
	warmup, minRuns, maxRuns := time.Duration(number(4))*time.Millisecond, number(5), number(6)
	budget := time.Duration(number(7)) * time.Millisecond
	work, ok := workloads[name]
	if !ok {
		fail("no workload " + name)
	}
	runtime.GOMAXPROCS(procs)
	for begin := time.Now(); ; {
		work.check(n)
		if now().cpu >= warmup.Nanoseconds() || time.Since(begin) >= 2*warmup {
			break
		}
	}
	var file *os.File
	var out *bufio.Writer
	if len(os.Args) > 8 {
		var err error
		if file, err = os.Create(os.Args[8]); err != nil {
			fail(err)
		}
		out = bufio.NewWriterSize(file, 1<<20)
		if err = trace.Start(out); err != nil {
			fail(err)
		}
	}
	begin := time.Now()
	for i := 0; i < minRuns || (i < maxRuns && time.Since(begin) < budget); i++ {
		a := now()
		result := work.check(n)
		wall := time.Since(a.wall)
		b := now()
		fmt.Printf("sample {\"wall\":%d,\"cpu\":%d,\"alloc\":%d,\"voluntary\":%d,\"involuntary\":%d,\"maxrss\":%d,\"result\":%d}\n",
			wall.Nanoseconds(), b.cpu-a.cpu, b.alloc-a.alloc, b.voluntary-a.voluntary, b.involuntary-a.involuntary, b.maxrss, result)
	}
	if out != nil {
		trace.Stop()
		if err := out.Flush(); err != nil {
			fail(err)
		}
		size, err := file.Seek(0, 1)
		if err != nil {
			fail(err)
		}
		fmt.Printf("trace {\"events\":-1,\"bytes\":%d,\"lost\":0}\n", size)
	}
}
