package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ObjectChange;
import java.util.Map;

/**
 * Turns one qmgr directive into the objects it writes and deletes, and the shards that must agree.
 * What all kinds of objects have in common; the rest is in their {@link ObjectRules}.
 */
final class Directive {
  private static final int NAME_MAX = 255;

  private final CommandMeta by;
  private final ObjectChange change;
  private final Draft draft;
  private final ObjectRules rules;

  private Directive(CommandMeta by, ObjectChange change, Draft draft) throws RejectedChange {
    this.by = by;
    this.change = change;
    this.draft = draft;
    this.rules = rules(change, draft);
  }

  /** Adds the effects of a caller's directive to the draft. */
  static void work(CommandMeta by, ObjectChange change, Draft draft) throws RejectedChange {
    Directive directive = new Directive(by, change, draft);
    switch (change.getOperation()) {
      case "CREATE" -> directive.create();
      case "DELETE" -> directive.delete();
      case "SET" -> directive.set();
      case "UNSET" -> directive.unset();
      default -> throw new IllegalArgumentException("operation " + change.getOperation());
    }
  }

  private static ObjectRules rules(ObjectChange change, Draft draft) throws RejectedChange {
    return switch (change.getKind()) {
      case SERVER -> new ServerRules(change, draft);
      case QUEUE -> new QueueRules(change, draft);
      case NODE -> new NodeRules(change, draft);
      case SCHEDULER -> new SchedulerRules(change, draft);
      case RESOURCE -> new ResourceRules(change, draft);
      case PARTITION ->
          throw new RejectedChange(
              PbsError.UNSUPPORTED, ": a partition comes into being by its use");
    };
  }

  private void requireManager() throws RejectedChange {
    if (by.getRole() != Role.MANAGER) {
      throw new RejectedChange(PbsError.UNAUTHORIZED);
    }
  }

  /** Names stand in lists, in lines of files and in paths. */
  private void requireName() throws RejectedChange {
    String name = change.getName();
    boolean sound = !name.isEmpty() && name.length() <= NAME_MAX && begins(name.charAt(0));
    for (int i = 0; i < name.length(); i++) {
      char each = name.charAt(i);
      sound &= each > ' ' && each != ',' && !Character.isISOControl(each);
    }
    // PBS takes a scheduler named a/b; its folders lie below ours then.
    for (String step : name.split("/", -1)) {
      boolean within = step.equals(name) || change.getKind() == ObjectKind.SCHEDULER;
      sound &= within && !step.isEmpty() && !step.equals(".") && !step.equals("..");
    }
    if (!sound) {
      throw new RejectedChange(
          PbsError.INVALID_REQUEST,
          ": a name begins with a letter, that of a node with a letter or digit, and has no space,"
              + " comma or control character, and no slash but between parts of a scheduler's");
    }
  }

  private boolean begins(char first) {
    return Character.isLetter(first)
        || change.getKind() == ObjectKind.NODE && Character.isDigit(first);
  }

  private ClusterObject existing() throws RejectedChange {
    ClusterObject object = draft.find(change.getKind(), change.getName());
    if (object == null) {
      throw new RejectedChange(rules.unknown());
    }
    return object;
  }

  private Edits edits() {
    return new Edits(draft.view(), change.getKind(), by.getRole(), rules);
  }

  private void create() throws RejectedChange {
    requireManager();
    requireName();
    Map<String, String> attributes = rules.fresh();
    edits().set(change.getAttributes(), true, attributes);
    write(null, attributes);
  }

  private void delete() throws RejectedChange {
    requireManager();
    ClusterObject object = existing();
    rules.delete(object);
    draft.delete(object);
  }

  private void set() throws RejectedChange {
    ClusterObject before = existing();
    Map<String, String> attributes = Draft.attributes(before);
    edits().set(change.getAttributes(), false, attributes);
    write(before, attributes);
  }

  private void unset() throws RejectedChange {
    ClusterObject before = existing();
    Map<String, String> attributes = Draft.attributes(before);
    edits().unset(change.getAttributes(), attributes);
    write(before, attributes);
  }

  private void write(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    NamedResources.check(draft.view(), change.getKind(), attributes);
    rules.follow(before, attributes);
    draft.write(change.getKind(), change.getName(), attributes);
  }
}
