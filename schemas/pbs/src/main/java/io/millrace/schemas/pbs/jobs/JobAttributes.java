package io.millrace.schemas.pbs.jobs;

import io.millrace.schemas.HostName;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** Job attributes that shards pass on without interpreting them, by PBS's names. */
public final class JobAttributes {

  /** Attributes that a run does not use, so that they may change while it runs. */
  public static final List<String> NOT_OF_RUNS = List.of("Mail_Points", "Mail_Users", "comment");

  /**
   * Set for a job whose qsub waits for it (-W block): its end is remembered until that qsub has
   * seen it.
   */
  public static final String BLOCK = "block";

  /** What an operator has written at a job; shown in the place of what the server says of it. */
  public static final String COMMENT = "comment";

  /** The user's group list; the job's record also has the group, which shards do interpret. */
  public static final String GROUP_LIST = "group_list";

  private JobAttributes() {}

  /** Value of a passed-on attribute; {@code otherwise} for a job that does not have it. */
  public static String passed(JobSpec spec, String name, String otherwise) {
    for (Attribute attribute : spec.getExtra()) {
      if (attribute.getName().equals(name)) {
        return attribute.getValue();
      }
    }
    return otherwise;
  }

  /** The attributes of a job, with given ones added or replaced. */
  public static List<Attribute> over(List<Attribute> before, List<Attribute> given) {
    List<Attribute> after = new ArrayList<>(before);
    for (Attribute each : given) {
      after.removeIf(it -> it.getName().equals(each.getName()));
      after.add(each);
    }
    return after;
  }

  /**
   * From a list {@code name[@host],...}, the entry for the host, or else the one without a host.
   */
  public static String forHost(String list, String host) {
    String found = "";
    String here = "";
    for (String entry : list.split(",")) {
      int at = entry.indexOf('@');
      if (at < 0 && found.isEmpty()) {
        found = entry;
      } else if (at >= 0 && isHost(entry.substring(at + 1), host)) {
        here = entry.substring(0, at);
      }
    }
    return here.isEmpty() ? found : here;
  }

  /** Compares host names, which may be given with or without a domain. */
  private static boolean isHost(String name, String host) {
    boolean whole = name.indexOf('.') >= 0 && host.indexOf('.') >= 0;
    return whole
        ? name.equalsIgnoreCase(host)
        : HostName.untilDot(name).equalsIgnoreCase(HostName.untilDot(host));
  }

  /** Name of a job's private directory in its owner's home, as PBS forms it. */
  public static String directory(String jobId) {
    return "pbs." + jobId + ".x8z";
  }
}
