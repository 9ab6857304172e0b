package io.millrace.server.core.cluster;

import io.millrace.schemas.command.NoteFolder;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Folders of scheduler objects: no two have the same one, and one that cannot be used stops its
 * scheduler. Whether it can be used is seen on the server's host, after it was set.
 */
final class SchedulerFolderRules {

  /** Who stops a scheduler whose folder cannot be used, in the server's log. */
  private static final String SCHEDULER = "Scheduler";

  private SchedulerFolderRules() {}

  /** Refuses folders that another scheduler object has, and any but the usual for the default. */
  static void check(Draft draft, ObjectChange change, Map<String, String> attributes)
      throws RejectedChange {
    boolean touched = false;
    for (String attribute : SchedulerFolders.BOTH) {
      AttributeEdit edit = ObjectRules.edit(change, attribute);
      touched |= edit != null;
      boolean unset = change.getOperation().equals("UNSET");
      if (edit != null && !unset && change.getName().equals(Draft.DEFAULT_SCHEDULER)) {
        throw new RejectedChange(PbsError.DEFAULT_SCHEDULER_ONLY);
      }
      String own = attributes.getOrDefault(attribute, "");
      refuseTaken(draft, change.getName(), attribute, own);
      if (edit != null && SchedulerFolders.same(own, usual(draft, attribute, change.getName()))) {
        // Is made when it is first needed, where one of another name must be there.
        attributes.remove(attribute);
      }
    }
    // What was said of the folder is over: it is another one, or is looked at again.
    boolean again =
        ObjectRules.edit(change, "scheduling") != null
            && attributes.getOrDefault("scheduling", "").equals("True");
    boolean said = SchedulerFolders.isComment(attributes.getOrDefault("comment", ""));
    if ((touched || again) && said && ObjectRules.edit(change, "comment") == null) {
      attributes.remove("comment");
    }
  }

  private static void refuseTaken(Draft draft, String scheduler, String attribute, String own)
      throws RejectedChange {
    String path = path(draft, attribute, scheduler, own);
    List<ClusterObject> others = new ArrayList<>();
    Nodes.each(draft.view(), ObjectKind.SCHEDULER, others::add);
    for (ClusterObject other : others) {
      String theirs = Context.attribute(other, attribute, "");
      // Usual ones differ by themselves, and where the home is not known there is no other path.
      boolean usual = own.isEmpty() && theirs.isEmpty();
      if (usual || other.getName().equals(scheduler)) {
        continue;
      }
      if (SchedulerFolders.same(path, path(draft, attribute, other.getName(), theirs))) {
        throw new RejectedChange(
            attribute.equals(SchedulerFolders.PRIV)
                ? PbsError.PRIV_FOLDER_TAKEN
                : PbsError.LOG_FOLDER_TAKEN);
      }
    }
  }

  private static String path(Draft draft, String attribute, String scheduler, String own) {
    return own.isEmpty() ? usual(draft, attribute, scheduler) : own;
  }

  private static String usual(Draft draft, String attribute, String scheduler) {
    ClusterObject server = draft.find(ObjectKind.SERVER, Keys.SERVER);
    String home = Context.attribute(server, SchedulerFolders.HOME, "");
    return home + "/" + SchedulerFolders.usual(attribute, scheduler);
  }

  /**
   * Stops the scheduler object and says why, if it still names the folder. While another change is
   * open nothing happens: it may set another folder, and the command comes again.
   */
  static Decision decide(Context c, NoteFolder command) {
    String attribute = command.getAttribute();
    ClusterObject scheduler =
        c.view().objects().get(Keys.object(ObjectKind.SCHEDULER, command.getScheduler()));
    if (!SchedulerFolders.BOTH.contains(attribute)
        || scheduler == null
        || !Context.attribute(scheduler, attribute, "").equals(command.getPath())
        || Changes.underWay(c)) {
      return Decision.none();
    }
    String comment = SchedulerFolders.comment(attribute);
    if (Context.attribute(scheduler, "comment", "").equals(comment)
        && !Context.attribute(scheduler, "scheduling", "").equals("True")) {
      return Decision.none();
    }
    CommandMeta by = CommandMeta.newBuilder(c.meta()).build();
    by.setPrincipal(SCHEDULER);
    by.setHost(c.serverName());
    by.setRole(Role.MANAGER);
    return Changes.take(
        c,
        by,
        new ObjectChange(
            "SET",
            ObjectKind.SCHEDULER,
            command.getScheduler(),
            List.of(
                new AttributeEdit("comment", comment, "ASSIGN"),
                new AttributeEdit("scheduling", "False", "ASSIGN"))));
  }
}
