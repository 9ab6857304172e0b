package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A queue instance in qstat -f.
 *
 * @param slots that reservations have now, and that runs hold
 * @param loadAverage of its host; empty when the host reports none
 * @param host architecture and states
 * @param attributes of -F
 * @param told by -explain
 */
record QueueInstanceLine(
    QueueInstance queue,
    TakenSlots slots,
    Optional<Double> loadAverage,
    OfHost host,
    List<QueueAttributes.OfferedAttribute> attributes,
    AlarmsAndWarnings told) {

  /** Slots that reservations have now, and that runs hold. */
  record TakenSlots(int reserved, int used) {}

  /** What it has from its host: the architecture, and the letters of its states. */
  record OfHost(String architecture, String states) {}

  /** Why it is in the states a and c. */
  record AlarmsAndWarnings(List<String> alarms, List<String> warnings) {}

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
    List<String> remarks = new ArrayList<>(told.alarms());
    remarks.addAll(told.warnings());
    attributes.forEach(attribute -> remarks.add(attribute.toString()));
    return remarks;
  }
}
