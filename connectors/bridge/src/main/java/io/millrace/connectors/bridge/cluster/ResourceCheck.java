package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.system.OutsideHost;
import java.util.ArrayList;
import java.util.List;

/** Looks whether hosts have the resources that a cluster file names. */
public final class ResourceCheck {

  private ResourceCheck() {}

  /**
   * What is said of them, a line for each.
   *
   * @param cure what to do where no host has one
   */
  public static List<CheckLine> lines(ClusterFile file, List<OutsideHost> hosts, String cure) {
    List<CheckLine> lines = new ArrayList<>();
    file.resources()
        .forEach(
            (here, there) -> {
              long some =
                  hosts.stream().filter(it -> it.resources().getOrDefault(here, 0L) > 0).count();
              lines.add(
                  some > 0
                      ? CheckLine.good(here + ": " + there + " of " + some + " hosts")
                      : CheckLine.wrong("no host tells how much it has of " + there, cure));
            });
    return lines;
  }
}
