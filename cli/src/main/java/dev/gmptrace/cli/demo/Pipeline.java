package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.ReceiveChan;
import dev.gmptrace.runtime.Trace;

/**
 * Four stages joined by channels. The third is slow: those before it wait to send, the last
 * starves.
 */
final class Pipeline implements Workload {
  @Override
  public void run(Stopwatch time) {
    Chan<Integer> source = Chan.make(4);
    Go.go(() -> {
      for (int i = 0; time.running(); i++) {
        source.send(i);
      }
      source.close();
    });
    var parsed = stage("parse", source, 20);
    var resolved = stage("resolve", parsed, 40);
    var rendered = stage("render (slow)", resolved, 400);
    var written = stage("write", rendered, 20);
    int items = 0;
    for (int _ : written) {
      items++;
    }
    Report.line("%d items through 4 stages".formatted(items));
  }

  private static ReceiveChan<Integer> stage(String name, ReceiveChan<Integer> in, int micros) {
    Chan<Integer> out = Chan.make(4);
    Go.go(() -> {
      for (int item : in) {
        try (var _ = Trace.region(name)) {
          Work.spin(micros);
        }
        out.send(item);
      }
      out.close();
    });
    return out;
  }
}
