package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A queue instance in qstat -f.
 *
 * @param used slots that runs hold
 * @param loadAverage of its host; empty when the host reports none
 * @param host architecture and states
 * @param attributes of -F
 * @param alarms of -explain
 */
record QueueLine(
    QueueInstance queue,
    int used,
    Optional<Double> loadAverage,
    OfHost host,
    List<QueueAttributes.Attribute> attributes,
    List<String> alarms) {

  /** What it has from its host: the architecture, and the letters of its states. */
  record OfHost(String architecture, String states) {}

  String architecture() {
    return host.architecture();
  }

  String states() {
    return host.states();
  }

  String load() {
    return loadAverage.map(load -> String.format(Locale.ROOT, "%.2f", load)).orElse("-NA-");
  }

  /** Lines below it. */
  List<String> remarks() {
    return java.util.stream.Stream.concat(
            alarms.stream(), attributes.stream().map(QueueAttributes.Attribute::toString))
        .toList();
  }
}
