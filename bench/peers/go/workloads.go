package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type workload struct {
	run      func(n int) int
	expected func(n int) int
}

func (w workload) check(n int) int {
	got, want := w.run(n), w.expected(n)
	if got != want {
		fail(fmt.Sprintf("wrong result %d, must be %d", got, want))
	}
	return got
}

var workloads = map[string]workload{
	"pingpong": {pingpong, sumBelow},
	"buffered": {buffered, sumBelow},
	"spawn":    {spawn, same},
	"skynet":   {skynet, func(int) int { return sumBelow(1_000_000) }},
	"sieve":    {sieve, func(int) int { return 7919 }},
	"yield":    {yield, same},
	"mutex":    {mutex, same},
	"select":   {selects, sumBelow},
	"syscall":  {syscalls, func(n int) int { return 64 * n }},
	"blocking": {blocking, same},
	"timers":   {timers, same},
	"netecho":  {netecho, func(n int) int { return 64 * n }},
}

func sumBelow(n int) int { return n * (n - 1) / 2 }
func same(n int) int     { return n }

func pingpong(n int) int {
	there, back := make(chan int), make(chan int)
	go func() {
		for range n {
			back <- <-there
		}
	}()
	sum := 0
	for i := range n {
		there <- i
		sum += <-back
	}
	return sum
}

func buffered(n int) int {
	c := make(chan int, 128)
	go func() {
		for i := range n {
			c <- i
		}
	}()
	sum := 0
	for range n {
		sum += <-c
	}
	return sum
}

func spawn(n int) int {
	var wg sync.WaitGroup
	wg.Add(n)
	for range n {
		go wg.Done()
	}
	wg.Wait()
	return n
}

func skynetNode(up chan int, number, size int) {
	if size == 1 {
		up <- number
		return
	}
	down := make(chan int)
	share := size / 10
	for i := range 10 {
		first := number + i*share
		go skynetNode(down, first, share)
	}
	sum := 0
	for range 10 {
		sum += <-down
	}
	up <- sum
}

func skynet(int) int {
	root := make(chan int)
	go skynetNode(root, 0, 1_000_000)
	return <-root
}

// The filters stay blocked when the thousandth prime is there, as in every telling of this program.
func sieve(int) int {
	source := make(chan int)
	go func(out chan int) {
		for i := 2; ; i++ {
			out <- i
		}
	}(source)
	prime := 0
	for range 1000 {
		prime = <-source
		in, out, divisor := source, make(chan int), prime
		go func() {
			for {
				value := <-in
				if value%divisor != 0 {
					out <- value
				}
			}
		}()
		source = out
	}
	return prime
}

// each runs part in that many goroutines at once and adds up what they return.
func each(goroutines int, part func() int) int {
	var result atomic.Int64
	var wg sync.WaitGroup
	wg.Add(goroutines)
	for range goroutines {
		go func() {
			result.Add(int64(part()))
			wg.Done()
		}()
	}
	wg.Wait()
	return int(result.Load())
}

func yield(n int) int {
	return each(4, func() int {
		for range n / 4 {
			runtime.Gosched()
		}
		return n / 4
	})
}

func mutex(n int) int {
	var mu sync.Mutex
	counter := 0
	each(16, func() int {
		for range n / 16 {
			mu.Lock()
			counter++
			mu.Unlock()
		}
		return 0
	})
	return counter
}

func selects(n int) int {
	even, odd, done := make(chan int), make(chan int), make(chan int)
	go func() {
		for i := range n {
			if i&1 == 0 {
				even <- i
			} else {
				odd <- i
			}
		}
		done <- -1
	}()
	sum := 0
	for {
		select {
		case v := <-even:
			sum += v
		case v := <-odd:
			sum += v
		case <-done:
			return sum
		}
	}
}

func syscalls(n int) int {
	return each(64, func() int {
		fd, err := syscall.Open("/dev/zero", syscall.O_RDONLY, 0)
		if err != nil {
			fail(err)
		}
		defer syscall.Close(fd)
		buffer, bytes := make([]byte, 64), 0
		for range n / 64 {
			got, err := syscall.Read(fd, buffer)
			if err != nil {
				fail(err)
			}
			bytes += got
		}
		return bytes
	})
}

func blocking(n int) int {
	return each(64, func() int {
		for range n / 64 {
			pause := syscall.Timespec{Nsec: int64(time.Millisecond)}
			for syscall.Nanosleep(&pause, &pause) == syscall.EINTR {
			}
		}
		return n / 64
	})
}

func timers(n int) int {
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		go func() {
			time.Sleep(time.Duration(1+i%50) * time.Millisecond)
			wg.Done()
		}()
	}
	wg.Wait()
	return n
}

// echoConns are made by the first run, which is never measured, and used by all.
var echoConns []net.Conn

func netecho(n int) int {
	const connections = 1000
	if echoConns == nil {
		connect(connections)
	}
	var next atomic.Int64
	return each(connections, func() int {
		conn := echoConns[next.Add(1)-1]
		buffer, bytes := make([]byte, 64), 0
		for range n / connections {
			if _, err := conn.Write(buffer); err != nil {
				fail(err)
			}
			got, err := io.ReadFull(conn, buffer)
			if err != nil {
				fail(err)
			}
			bytes += got
		}
		return bytes
	})
}

func connect(connections int) {
	server, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		fail(err)
	}
	defer server.Close()
	for range connections {
		conn, err := net.Dial("tcp", server.Addr().String())
		if err != nil {
			fail(err)
		}
		echoConns = append(echoConns, conn)
		other, err := server.Accept()
		if err != nil {
			fail(err)
		}
		go echo(other)
	}
}

func echo(conn net.Conn) {
	defer conn.Close()
	buffer := make([]byte, 64)
	for {
		got, err := conn.Read(buffer)
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "echo:", err)
			return
		}
		if _, err := conn.Write(buffer[:got]); err != nil {
			fmt.Fprintln(os.Stderr, "echo:", err)
			return
		}
	}
}
