package io.millrace.schemas.pbs.jobs;

import io.millrace.schemas.HostName;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** Attributes of a job that shards pass on without a look at them, by PBS's names. */
public final class JobAttributes {

  /** Those that a run has no use for, so that they may change while it runs. */
  public static final List<String> NOT_OF_RUNS = List.of("Mail_Points", "Mail_Users");

  /** Set for a job whose qsub waits for it: its end is remembered until that one has seen it. */
  public static final String BLOCK = "block";

  /** Names the group of the job beside it, which shards reckon with. */
  public static final String GROUP_LIST = "group_list";

  private JobAttributes() {}

  /** Value of an attribute; {@code otherwise} for a job that has none. */
  public static String passed(JobSpec spec, String name, String otherwise) {
    for (Attribute attribute : spec.getExtra()) {
      if (attribute.getName().equals(name)) {
        return attribute.getValue();
      }
    }
    return otherwise;
  }

  /** Those of a job, with others over them. */
  public static List<Attribute> over(List<Attribute> before, List<Attribute> given) {
    List<Attribute> after = new ArrayList<>(before);
    for (Attribute each : given) {
      after.removeIf(it -> it.getName().equals(each.getName()));
      after.add(each);
    }
    return after;
  }

  /** Of a list {@code name[@host],...} the entry for the host, else the one without a host. */
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

  /** Hosts have names with a domain and without. */
  private static boolean isHost(String name, String host) {
    boolean whole = name.indexOf('.') >= 0 && host.indexOf('.') >= 0;
    return whole
        ? name.equalsIgnoreCase(host)
        : HostName.untilDot(name).equalsIgnoreCase(HostName.untilDot(host));
  }

  /** PBS's name of the directory in the owner's home that a job has of its own. */
  public static String directory(String jobId) {
    return "pbs." + jobId + ".x8z";
  }
}
