package io.millrace.reservations.classad.plus;

import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression.NamedExpression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a text may ask of a node.
 *
 * @param name as users call it
 * @param state how it is now
 * @param kind its machine and operating system
 * @param size its processors and memory
 * @param resources its other resources: a string, a number or a boolean by name
 */
public record NodeRecord(
    String name, NodeCondition state, NodePlatform kind, Size size, Map<String, Value> resources) {

  /**
   * How a node is now.
   *
   * @param alive whether its executor is heard
   * @param loadavg the load that its host reports, as an average over five minutes
   * @param runningJobs how many runs it has
   */
  public record NodeCondition(boolean alive, double loadavg, int runningJobs) {}

  /** Machine and operating system, such as {@code x86_64} and {@code linux}. */
  public record NodePlatform(String arch, String os) {}

  /** Processors, and memory in bytes. */
  public record Size(int ncpus, long mem_bytes) {}

  /** The record as a text sees it. */
  public RecordExpression attributes() {
    List<NamedExpression> all = new ArrayList<>();
    resources.forEach(
        (resource, value) -> all.add(new NamedExpression(resource, value.expression())));
    add(all, "name", Scalar.of(name));
    add(all, "isAlive", Scalar.of(state.alive()));
    add(all, "loadavg", Scalar.of(state.loadavg()));
    add(all, "nRunJobs", Scalar.of((long) state.runningJobs()));
    add(all, "arch", Scalar.of(kind.arch()));
    add(all, "os", Scalar.of(kind.os()));
    add(all, "ncpus", Scalar.of((long) size.ncpus()));
    add(all, "mem", Scalar.of(size.mem_bytes()));
    return new RecordExpression(all);
  }

  private static void add(List<NamedExpression> to, String name, Value value) {
    to.add(new NamedExpression(name, value.expression()));
  }
}
