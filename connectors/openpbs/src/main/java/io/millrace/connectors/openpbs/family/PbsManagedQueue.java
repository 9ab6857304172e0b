package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.CheckLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks whether only jobs from here come into the managed queue of a server. */
public final class PbsManagedQueue {

  private static final String TRUE = "true";

  private PbsManagedQueue() {}

  /**
   * What is wrong with the queue; nothing when all is well.
   *
   * @param fields of the queue, as the server tells them; none when there is no such queue
   * @param usual the server's default_queue
   */
  public static List<CheckLine> wrong(String queue, Map<String, String> fields, String usual) {
    if (fields.isEmpty()) {
      return List.of(
          CheckLine.wrong(
              "there is no queue " + queue,
              "make it with qmgr, or set 'queue' to the managed one"));
    }
    List<CheckLine> lines = new ArrayList<>();
    if (queue.equals(usual)) {
      lines.add(
          CheckLine.wrong(
              "queue " + queue + " takes jobs that name no queue",
              "set default_queue of the server to another one"));
    }
    if (!fields.getOrDefault("acl_host_enable", "").equalsIgnoreCase(TRUE)) {
      lines.add(
          CheckLine.wrong(
              "queue " + queue + " takes jobs from all hosts",
              "qmgr -c 'set queue "
                  + queue
                  + " acl_host_enable=True,acl_hosts=HOST' with this host"));
    }
    if (!fields.getOrDefault("started", TRUE).equalsIgnoreCase(TRUE)) {
      lines.add(
          CheckLine.wrong(
              "queue " + queue + " starts no jobs",
              "qmgr -c 'set queue " + queue + " started=True'"));
    }
    return lines;
  }
}
