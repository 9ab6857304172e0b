package io.millrace.connectors.gridengine.reserve;

import io.millrace.connectors.bridge.command.OutsideXml;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamReader;

/**
 * A job of a user of the cell.
 *
 * @param number by which the cell knows it
 * @param owner whose it is
 * @param state letters of its state
 * @param instance where it is; empty while it waits
 * @param movable whether it may be submitted again: no array, no run of Millrace, and none of which
 *     its owner says that it is not to run twice
 * @param mark which job it is a copy of, as its context says, which anybody can write; its own
 *     number while one is being made, empty for none
 */
record LocalJob(
    long number, String owner, String state, String instance, boolean movable, String mark) {

  /** The name in the context of a job under which the job stands that it is a copy of. */
  static final String MARK = "MR_OF";

  /** The name in the context of our own runs. */
  private static final String RUN = "MILLRACE";

  /** How {@code qsub -r n} is told. */
  private static final String NOT_AGAIN = "2";

  private static final String LIST = "job_info";
  private static final String DETAILS = "detailed_job_info";
  private static final String NONE = "unknown_jobs";

  /** By itself, and not with its queue. */
  boolean isSuspended() {
    return state.contains("s");
  }

  boolean isCopyOf(LocalJob other) {
    return number > other.number
        && mark.equals(Long.toString(other.number))
        && owner.equals(other.owner);
  }

  /** All jobs of {@code qstat -xml}, with the marks of {@code qstat -j -xml}. */
  static Map<Long, LocalJob> read(String list, String details) throws CellTrouble {
    LocalJobElements taken = new LocalJobElements();
    LocalJobElements more = new LocalJobElements();
    Optional<String> trouble = OutsideXml.read(list, taken);
    trouble = trouble.isPresent() ? trouble : OutsideXml.read(details, more);
    boolean all = taken.root.equals(LIST) && (more.root.equals(DETAILS) || more.root.equals(NONE));
    if (trouble.isPresent() || !all) {
      throw new CellTrouble("qstat: " + trouble.orElse(taken.root + " " + more.root));
    }
    Map<Long, LocalJob> jobs = new TreeMap<>();
    taken.jobs.forEach(
        (number, job) ->
            jobs.put(
                number,
                new LocalJob(
                    number,
                    job.owner,
                    job.state,
                    job.instance,
                    job.movable && more.known.contains(number) && !more.staying.contains(number),
                    more.marks.getOrDefault(number, ""))));
    return jobs;
  }

  private static final class LocalJobElements implements OutsideXml.XmlElementHandler {
    private final Set<Long> known = new HashSet<>();
    private final Set<Long> staying = new HashSet<>();
    private final Map<Long, LocalJob> jobs = new TreeMap<>();
    private final Map<Long, String> marks = new HashMap<>();
    private final Map<String, String> fields = new HashMap<>();
    private String root = "";
    private boolean inContext;
    private String variable = "";

    @Override
    public void begins(String name, XMLStreamReader at) {
      root = root.isEmpty() ? name : root;
      if (name.equals("job_list")) {
        fields.clear();
      }
      inContext |= name.equals("JB_context");
    }

    @Override
    public void ends(String name, String text) {
      switch (name) {
        case "JB_context" -> inContext = false;
        case "VA_variable" -> variable = text;
        case "VA_value" -> {
          if (inContext && variable.equals(MARK)) {
            marks.put(number(), text);
          } else if (inContext && variable.equals(RUN)) {
            staying.add(number());
          }
        }
        case "JB_restart" -> {
          if (text.equals(NOT_AGAIN)) {
            staying.add(number());
          }
        }
        case "job_list" ->
            jobs.put(
                number(),
                new LocalJob(
                    number(),
                    fields.getOrDefault("JB_owner", ""),
                    fields.getOrDefault("state", ""),
                    fields.getOrDefault("queue_name", ""),
                    fields.getOrDefault("tasks", "").isEmpty(),
                    ""));
        // In the details it comes before all else of the job.
        case "JB_job_number" -> {
          fields.put(name, text);
          known.add(number());
        }
        default -> fields.putIfAbsent(name, text);
      }
    }

    private long number() {
      String text = fields.getOrDefault("JB_job_number", "");
      return text.matches("[0-9]{1,10}") ? Long.parseLong(text) : 0;
    }
  }
}
