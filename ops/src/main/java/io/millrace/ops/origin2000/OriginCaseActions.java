package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.origin2000.state.OriginAction;
import java.util.Locale;

/** Carries out the actions of a cycle on the case's server, and tells them. */
final class OriginCaseActions {

  static final String OKAY = "OKAY";

  private final OriginCaseServer server;
  private final long now;
  private final ArrayNode told = CaseJson.MAPPER.createArrayNode();

  OriginCaseActions(OriginCaseServer server, long now) {
    this.server = server;
    this.now = now;
  }

  ArrayNode told() {
    return told;
  }

  /** What a host replies when its counters are switched. */
  static String reply(JsonNode host, String mode) {
    return host.path("hpm_reply_" + mode).asText(OKAY);
  }

  void take(OriginAction action) {
    if (action instanceof OriginAction.SetResource it) {
      setResource(it);
    } else if (action instanceof OriginAction.Comment it) {
      op("comment", it.job()).put("text", it.text());
      server.job(it.job()).put("comment", it.text()).put("mtime", now);
    } else if (action instanceof OriginAction.OriginMove it) {
      op("move", it.job()).put("from", it.from()).put("to", it.to());
      server.job(it.job()).put("queue", it.to());
    } else if (action instanceof OriginAction.OriginJobStart it) {
      run(it);
    } else if (action instanceof OriginAction.OriginDeletion it) {
      delete(it);
    } else if (action instanceof OriginAction.SwitchCounters it) {
      switchCounters(it);
    } else if (action instanceof OriginAction.WouldRun it) {
      op("would_run", it.job())
          .put("nodes", it.nodes())
          .put("queue", it.queue())
          .put("host", it.host());
    } else if (action instanceof OriginAction.WouldDelete it) {
      op("would_delete", it.job()).put("reason", it.reason());
    }
  }

  private ObjectNode op(String name, String job) {
    return told.addObject().put("op", name).put("job", job);
  }

  private void setResource(OriginAction.SetResource action) {
    op("set_resource", action.job())
        .put("resource", action.resource())
        .put("value", action.value());
    ObjectNode job = server.job(action.job()).put("mtime", now);
    if (action.resource().equals("ncpus")) {
      job.put("ncpus", Long.parseLong(action.value()));
    } else {
      job.put(action.resource(), action.value());
    }
  }

  private void run(OriginAction.OriginJobStart action) {
    ObjectNode job = server.job(action.job());
    ObjectNode run = op("run", action.job());
    run.put("host", action.host()).put("queue", action.queue());
    run.set("ncpus", job.path("ncpus"));
    run.set("mem", job.path("mem"));
    if (action.accepted()) {
      job.put("state", "R").put("start", now).put("exec_host", action.host());
    } else {
      run.put("refused", true);
    }
  }

  private void delete(OriginAction.OriginDeletion action) {
    ObjectNode delete = op("delete", action.job()).put("reason", action.reason());
    action
        .figures()
        .ifPresent(
            it ->
                delete
                    .put("group_used", hours(it.used()))
                    .put("group_allocation", hours(it.allocation())));
    server.remove(action.job());
  }

  private static String hours(double hours) {
    return String.format(Locale.ROOT, "%.2f", hours);
  }

  private void switchCounters(OriginAction.SwitchCounters action) {
    ObjectNode host = server.host(action.host());
    told.addObject()
        .put("op", "hpm_ctl")
        .put("host", action.host())
        .put("mode", action.mode())
        .put("reply", reply(host, action.mode()));
    if (action.done()) {
      host.put("hpm_mode", action.mode().equals("user") ? "user" : "global");
    }
  }
}
