package io.millrace.server.accounting.daylog;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Attributes of server and schedulers that logs go by. */
public final class LogMasks {

  private static final String LOG_EVENTS = "log_events";

  private final Map<String, Integer> bySchedulerName = new TreeMap<>();
  private int server = number(AttributeTable.defaultOf(ObjectKind.SERVER, LOG_EVENTS));
  private String host = "server";

  public void heed(ClusterObject object) {
    if (object.getKind() == ObjectKind.SERVER) {
      server = number(value(object, LOG_EVENTS));
      host = value(object, "server_host").isEmpty() ? host : value(object, "server_host");
    } else if (object.getKind() == ObjectKind.SCHEDULER) {
      bySchedulerName.put(object.getName(), number(value(object, LOG_EVENTS)));
    }
  }

  /** A scheduler object is gone. */
  void forget(String scheduler) {
    bySchedulerName.remove(scheduler);
  }

  private static String value(ClusterObject object, String name) {
    for (Attribute attribute : object.getAttributes()) {
      if (attribute.getName().equals(name)) {
        return attribute.getValue();
      }
    }
    return AttributeTable.defaultOf(object.getKind(), name);
  }

  private static int number(String text) {
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
  }

  /** Names of the scheduler objects that were heeded. */
  List<String> schedulers() {
    return List.copyOf(bySchedulerName.keySet());
  }

  int server() {
    return server;
  }

  int scheduler(String name) {
    Integer mask = bySchedulerName.get(name);
    return mask != null ? mask : number(AttributeTable.defaultOf(ObjectKind.SCHEDULER, LOG_EVENTS));
  }

  /** Host of the server, as in the name of its daemon. */
  String host() {
    return host;
  }
}
