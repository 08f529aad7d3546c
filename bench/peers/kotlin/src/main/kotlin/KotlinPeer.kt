package dev.gmptrace.bench.kotlin

import dev.gmptrace.bench.workload.Kernel
import dev.gmptrace.bench.workload.Peer
import dev.gmptrace.bench.workload.Workload
import java.io.FileInputStream
import java.util.concurrent.atomic.AtomicLong
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelChildren
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield

/**
 * Coroutines on Dispatchers.Default, with kotlinx's channels and mutex. Calls that may block their
 * thread go to Dispatchers.IO, as its documentation asks. It has no sockets of its own.
 */
class KotlinPeer : Peer {
  override fun run(workload: Workload, n: Int): Long =
      runBlocking(Dispatchers.Default) {
        when (workload) {
          Workload.PINGPONG -> pingpong(n)
          Workload.BUFFERED -> buffered(n)
          Workload.SPAWN -> spawn(n)
          Workload.SKYNET -> skynet()
          Workload.SIEVE -> sieve()
          Workload.YIELD -> yields(n)
          Workload.MUTEX -> mutex(n)
          Workload.SELECT -> selects(n)
          Workload.SYSCALL -> syscall(n)
          Workload.BLOCKING -> blocking(n)
          Workload.TIMERS -> timers(n)
          else -> throw IllegalArgumentException(workload.id())
        }
      }

  private fun CoroutineScope.go(task: suspend CoroutineScope.() -> Unit) = launch(block = task)

  private suspend fun pingpong(n: Int): Long = coroutineScope {
    val there = Channel<Int>()
    val back = Channel<Int>()
    go { repeat(n) { back.send(there.receive()) } }
    var sum = 0L
    for (i in 0 until n) {
      there.send(i)
      sum += back.receive()
    }
    sum
  }

  private suspend fun buffered(n: Int): Long = coroutineScope {
    val channel = Channel<Int>(128)
    go { for (i in 0 until n) channel.send(i) }
    var sum = 0L
    repeat(n) { sum += channel.receive() }
    sum
  }

  private suspend fun spawn(n: Int): Long {
    coroutineScope { repeat(n) { go {} } }
    return n.toLong()
  }

  private suspend fun skynet(): Long = coroutineScope {
    val root = Channel<Long>()
    go { skynet(root, 0, Workload.LEAVES) }
    root.receive()
  }

  private suspend fun CoroutineScope.skynet(up: Channel<Long>, number: Long, size: Int) {
    if (size == 1) {
      up.send(number)
      return
    }
    val down = Channel<Long>()
    val share = size / 10
    for (i in 0 until 10) {
      val first = number + i.toLong() * share
      go { skynet(down, first, share) }
    }
    var sum = 0L
    repeat(10) { sum += down.receive() }
    up.send(sum)
  }

  private suspend fun sieve(): Long = coroutineScope {
    var source = Channel<Int>()
    val first = source
    go {
      var i = 2
      while (true) first.send(i++)
    }
    var prime = 0
    repeat(Workload.PRIMES) {
      prime = source.receive()
      val input = source
      val output = Channel<Int>()
      val divisor = prime
      go {
        while (true) {
          val value = input.receive()
          if (value % divisor != 0) output.send(value)
        }
      }
      source = output
    }
    coroutineContext.cancelChildren()
    prime.toLong()
  }

  /** Runs [part] in that many coroutines at once and adds up what they return. */
  private suspend fun each(coroutines: Int, part: suspend () -> Long): Long {
    val result = AtomicLong()
    coroutineScope { repeat(coroutines) { go { result.addAndGet(part()) } } }
    return result.get()
  }

  private suspend fun yields(n: Int): Long =
      each(Workload.YIELDERS) {
        val share = n / Workload.YIELDERS
        repeat(share) { yield() }
        share.toLong()
      }

  private suspend fun mutex(n: Int): Long {
    val mutex = Mutex()
    var counter = 0L
    each(Workload.LOCKERS) {
      repeat(n / Workload.LOCKERS) {
        mutex.lock()
        counter++
        mutex.unlock()
      }
      0
    }
    return counter
  }

  private suspend fun selects(n: Int): Long = coroutineScope {
    val even = Channel<Int>()
    val odd = Channel<Int>()
    val done = Channel<Int>()
    go {
      for (i in 0 until n) if (i and 1 == 0) even.send(i) else odd.send(i)
      done.send(-1)
    }
    var sum = 0L
    while (true) {
      val value =
          select<Int> {
            even.onReceive { it }
            odd.onReceive { it }
            done.onReceive { it }
          }
      if (value < 0) break
      sum += value
    }
    sum
  }

  private suspend fun syscall(n: Int): Long =
      each(Workload.CALLERS) {
        val buffer = ByteArray(Workload.MESSAGE)
        var bytes = 0L
        FileInputStream("/dev/zero").use { file ->
          repeat(n / Workload.CALLERS) { bytes += withContext(Dispatchers.IO) { file.read(buffer) } }
        }
        bytes
      }

  private suspend fun blocking(n: Int): Long =
      each(Workload.CALLERS) {
        val share = n / Workload.CALLERS
        repeat(share) { withContext(Dispatchers.IO) { Kernel.usleep(1000) } }
        share.toLong()
      }

  private suspend fun timers(n: Int): Long {
    coroutineScope { for (i in 0 until n) go { delay(1L + i % 50) } }
    return n.toLong()
  }
}
