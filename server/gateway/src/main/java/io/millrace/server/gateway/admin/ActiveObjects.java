package io.millrace.server.gateway.admin;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.operand.JobIds;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that qmgr's directives mean when they name none: chosen by "active", for one session.
 * As in PBS their existence is checked only by the directives that use them.
 */
final class ActiveObjects {

  private static final Map<ObjectKind, String> TITLES = titles();

  /**
   * @param all whether it is all objects of the kind
   */
  private record ChosenObjects(List<String> names, boolean all) {}

  private final Map<ObjectKind, ChosenObjects> chosen = new EnumMap<>(ObjectKind.class);

  private static Map<ObjectKind, String> titles() {
    Map<ObjectKind, String> titles = new EnumMap<>(ObjectKind.class);
    titles.put(ObjectKind.SERVER, "Active servers:\n");
    titles.put(ObjectKind.QUEUE, "Active queues:\n");
    titles.put(ObjectKind.NODE, "Active nodes:\n");
    titles.put(ObjectKind.SCHEDULER, "Active schedulers:\n");
    return titles;
  }

  /**
   * Carries out an "active": chooses the objects that it names, or else shows what is chosen.
   *
   * @return the status of the directive, 0
   * @throws Failure when objects of this kind cannot be active, or for another server
   */
  int choose(Call call, QmgrDirective directive) throws Failure {
    ObjectKind kind = directive.kind();
    if (!TITLES.containsKey(kind)) {
      throw new Failure("qmgr: Illegal object type: resource.\n", 2);
    }
    if (directive.names().isEmpty() && !directive.atServer()) {
      show(call, kind);
    } else if (kind == ObjectKind.SERVER) {
      mustBeOurs(call, directive.names());
    } else {
      chosen.put(kind, new ChosenObjects(directive.names(), directive.names().isEmpty()));
    }
    return 0;
  }

  private static void mustBeOurs(Call call, List<String> servers) throws Failure {
    for (String name : servers) {
      if (!JobIds.names(name, call.site().server())) {
        throw QmgrDirective.unknownServer(name, 1);
      }
    }
  }

  /** The directive with the names of the active objects when it names none. */
  QmgrDirective named(QmgrDirective directive) {
    ChosenObjects active = directive.kind() == null ? null : chosen.get(directive.kind());
    boolean complete = !directive.names().isEmpty() || directive.atServer();
    if (active == null || complete || directive.operation() == QmgrOperation.ACTIVE) {
      return directive;
    }
    return new QmgrDirective(
        directive.operation(),
        directive.kind(),
        active.names(),
        active.all(),
        directive.changes(),
        directive.servers());
  }

  /** PBS shows the server of each: "active" for the one that the session is with. */
  private void show(Call call, ObjectKind kind) {
    StringBuilder text = new StringBuilder(TITLES.get(kind));
    if (kind == ObjectKind.SERVER) {
      text.append("default\n");
    }
    ChosenObjects active = chosen.get(kind);
    if (active != null && active.all()) {
      text.append("@default\n");
    } else if (active != null) {
      active.names().forEach(name -> text.append(name).append("@active\n"));
    }
    call.out(text.toString());
  }
}
