package io.millrace.server.core.job.alter;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.order.RunLimit;
import io.millrace.server.core.placement.NodeRoom;
import io.millrace.server.core.placement.RunTimes;
import io.millrace.server.core.state.Copies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Changes of a running job's request: only its walltime can change. As in PBS its owner may lower
 * it, operators may also raise it.
 */
final class RunningRequests {
  private static final String WALLTIME = "walltime";

  private RunningRequests() {}

  /** The refusal of the new request; null when it may replace the one that was granted. */
  static Decision refusal(Context c, Job job, AlterJob command) {
    JobSpec spec = job.getSpec();
    boolean listed = command.getAsked() != null && spec.getAsked() != null;
    String other =
        listed
            ? changed(spec.getAsked(), command.getAsked())
            : changed(spec.getResourceList(), command.getResourceList());
    if (!other.isEmpty()) {
      return fixed(c, other);
    }
    // The granted request includes defaults that nobody asked for; it is compared only where the
    // original request is not known.
    if (!listed && !command.getRequest().getChunks().equals(spec.getRequest().getChunks())) {
      return fixed(c, "ncpus");
    }
    long beforeS = spec.getRequest().getWalltimeS();
    long afterS = command.getRequest().getWalltimeS();
    if (spec.getGridEngine() != null || afterS < 0) {
      // Limits of Grid Engine jobs are part of the text of their request.
      return fixed(c, WALLTIME);
    }
    boolean longer = beforeS > 0 && afterS > beforeS; // a run that was started with 0 has no end
    return longer && !c.isOperator() ? Decision.rejected(c, PbsError.UNAUTHORIZED) : null;
  }

  private static Decision fixed(Context c, String resource) {
    return Decision.rejected(
        c, PbsError.MODIFY_WHILE_RUNNING, " " + RunLimit.REQUEST + "." + resource);
  }

  /** The first resource other than walltime whose amount changed; empty when there is none. */
  private static String changed(List<Attribute> before, List<Attribute> after) {
    Map<String, String> was = values(before);
    Map<String, String> is = values(after == null ? before : after);
    TreeSet<String> names = new TreeSet<>(was.keySet());
    names.addAll(is.keySet());
    names.remove(WALLTIME);
    return names.stream()
        .filter(name -> !Objects.equals(was.get(name), is.get(name)))
        .findFirst()
        .orElse("");
  }

  private static Map<String, String> values(List<Attribute> attributes) {
    Map<String, String> values = new TreeMap<>();
    attributes.forEach(it -> values.put(it.getName(), it.getValue()));
    return values;
  }

  /**
   * Refuses a walltime with which the run would reach into a booking that leaves no room for it. A
   * job in a reservation ends with that, whatever its walltime.
   */
  static void refuseBooked(Context c, Job job, JobSpec spec) throws PbsRefusal {
    long endMs = RunTimes.end(job, spec.getRequest().getWalltimeS());
    if (!NodeRoom.mayLast(c, job, endMs)) {
      throw new PbsRefusal(PbsError.BOOKED);
    }
  }

  /** The granted specification with the new walltime in all places. */
  static JobSpec altered(JobSpec before, JobSpec wanted) {
    JobSpec spec = Copies.of(wanted);
    long walltimeS = wanted.getRequest().getWalltimeS();
    spec.setRequest(
        ResourceRequest.newBuilder(before.getRequest()).setWalltimeS(walltimeS).build());
    spec.setResourceList(with(before.getResourceList(), wanted.getResourceList()));
    if (before.getAsked() != null && wanted.getAsked() != null) {
      spec.setAsked(with(before.getAsked(), wanted.getAsked()));
    }
    return spec;
  }

  private static List<Attribute> with(List<Attribute> before, List<Attribute> wanted) {
    List<Attribute> after = new ArrayList<>(before);
    for (Attribute each : wanted) {
      if (each.getName().equals(WALLTIME)) {
        after.removeIf(it -> it.getName().equals(WALLTIME));
        after.add(each);
      }
    }
    return after;
  }
}
