package io.millrace.server.accounting.daylog;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.util.HashMap;
import java.util.Map;

/** Attributes of server and schedulers that logs go by. */
public final class LogMasks {

  private static final String LOG_EVENTS = "log_events";

  private final Map<String, Integer> bySchedulerName = new HashMap<>();
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
