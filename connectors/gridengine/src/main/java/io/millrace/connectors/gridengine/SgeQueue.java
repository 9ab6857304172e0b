package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideXml;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideNumber;
import io.millrace.connectors.bridge.system.OutsidePlaces;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.xml.stream.XMLStreamReader;

/** The jobs of {@code qstat -xml}, and of {@code qstat -j -xml}, which says their accounts too. */
final class SgeQueue {

  private SgeQueue() {}

  /**
   * Jobs of the short form, which says no account strings: of {@code qstat -f -r} too, where one
   * stands once at each queue that it has slots of.
   *
   * @param complexes of what jobs hold
   */
  static Told<List<OutsideJob>> read(OutsideAnswer answer, SgeComplexes complexes) {
    Told<List<OutsideJob>> told =
        read(answer, "job_info", "job_list", fields -> listed(fields, complexes));
    if (!(told instanceof Told.Answered<List<OutsideJob>> list)) {
      return told;
    }
    Map<OutsideId, OutsideJob> jobs = new LinkedHashMap<>();
    List<OutsideJob> several = new ArrayList<>();
    for (OutsideJob job : list.value()) {
      if (!job.tasks().isEmpty() || job.place().isEmpty()) {
        several.add(job); // tasks that wait are in groups, of which one array has some
      } else {
        jobs.merge(job.id(), job, (one, more) -> SgeQueue.both(one, more, complexes));
      }
    }
    List<OutsideJob> all = new ArrayList<>(jobs.values());
    all.addAll(several);
    return Told.of(all);
  }

  /** A job that has slots of more than one queue. */
  private static OutsideJob both(OutsideJob one, OutsideJob more, SgeComplexes complexes) {
    List<OutsideHolding> holdings = new ArrayList<>(one.holdings());
    more.holdings().forEach(it -> holdings.add(complexes.again(it)));
    return new OutsideJob(
        one.id(),
        one.name(),
        one.account(),
        one.tag(),
        one.state(),
        one.word(),
        one.submitted(),
        one.place(),
        one.slots() + more.slots(),
        one.end(),
        one.tasks(),
        List.copyOf(holdings));
  }

  /** Jobs of the long form. */
  static Told<List<OutsideJob>> details(OutsideAnswer answer) {
    return read(answer, "detailed_job_info", "element", SgeQueue::detailed);
  }

  private static Told<List<OutsideJob>> read(
      OutsideAnswer answer,
      String root,
      String element,
      Function<Map<String, String>, Optional<OutsideJob>> job) {
    if (!answer.isGood()) {
      return Told.nothing("qstat: " + answer.trouble());
    }
    List<OutsideJob> jobs = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    QstatJobElements elements =
        new QstatJobElements(
            element,
            fields -> {
              Optional<OutsideJob> one = job.apply(fields);
              one.ifPresent(jobs::add);
              if (one.isEmpty() && wrong.isEmpty()) {
                wrong.add("a job makes no sense: " + fields.get("JB_job_number"));
              }
            });
    Optional<String> trouble = OutsideXml.read(answer.text(), elements);
    if (trouble.isEmpty() && !elements.root.equals(root)) {
      // Asked for all jobs when there is none, the long form says that it does not know "*".
      trouble =
          elements.root.equals("unknown_jobs") && root.equals("detailed_job_info")
              ? Optional.empty()
              : Optional.of("<" + elements.root + "> in place of <" + root + ">");
    }
    Optional<String> why = trouble.or(() -> wrong.stream().findFirst());
    return why.isPresent() ? Told.nothing("qstat: " + why.get()) : Told.of(jobs);
  }

  private static Optional<OutsideJob> listed(Map<String, String> fields, SgeComplexes complexes) {
    String tasks = fields.getOrDefault("tasks", "");
    Optional<OutsideId> id = id(fields, tasks);
    String word = fields.getOrDefault("state", "");
    String owner = fields.getOrDefault("JB_owner", "");
    if (id.isEmpty() || word.isEmpty() || owner.isEmpty()) {
      return Optional.empty();
    }
    String place = fields.getOrDefault("queue_name", "");
    long slots = number(fields, "slots").orElse(0L);
    List<OutsideHolding> holdings = new ArrayList<>();
    for (String host : place.isEmpty() ? List.<String>of() : OutsidePlaces.hosts(place)) {
      holdings.add(complexes.holding(host, requests(fields), slots));
    }
    return Optional.of(
        new OutsideJob(
            id.get(),
            fields.getOrDefault("JB_name", ""),
            owner,
            Optional.empty(),
            state(word),
            word,
            time(fields.getOrDefault("JB_submission_time", "")),
            place,
            slots,
            Optional.empty(),
            id.get().task() > 0 ? "" : tasks,
            holdings));
  }

  /** What it asks for, by complex: what its owner has said, else what is usual. */
  private static Map<String, String> requests(Map<String, String> fields) {
    Map<String, String> requests = new LinkedHashMap<>();
    for (String kind : List.of("def_hard_request.", "hard_request.")) {
      fields.forEach(
          (name, value) -> {
            if (name.startsWith(kind)) {
              requests.put(name.substring(kind.length()), value);
            }
          });
    }
    return requests;
  }

  private static Optional<OutsideJob> detailed(Map<String, String> fields) {
    Optional<OutsideId> id = id(fields, "");
    String owner = fields.getOrDefault("JB_owner", "");
    if (id.isEmpty() || owner.isEmpty()) {
      return Optional.empty();
    }
    boolean started = fields.containsKey("JB_ja_tasks");
    return Optional.of(
        new OutsideJob(
            id.get(),
            fields.getOrDefault("JB_job_name", ""),
            owner,
            OutsideTag.read(fields.getOrDefault("JB_account", "")),
            started ? OutsideState.RUNNING : OutsideState.WAITING,
            started ? "started" : "pending",
            OutsideNumber.time(fields.getOrDefault("JB_submission_time", "")),
            "",
            0,
            Optional.empty(),
            "",
            List.of()));
  }

  private static Optional<OutsideId> id(Map<String, String> fields, String tasks) {
    long task = tasks.matches("[0-9]{1,9}") ? Long.parseLong(tasks) : 0;
    return number(fields, "JB_job_number").filter(it -> it > 0).map(it -> new OutsideId(it, task));
  }

  /** What the letters of a state mean together. */
  static OutsideState state(String letters) {
    if (letters.indexOf('d') >= 0) {
      return OutsideState.ENDING;
    }
    if (letters.indexOf('s') >= 0 || letters.indexOf('S') >= 0 || letters.indexOf('T') >= 0) {
      return OutsideState.SUSPENDED;
    }
    if (letters.indexOf('q') >= 0) {
      boolean held = letters.indexOf('h') >= 0 || letters.indexOf('E') >= 0;
      return held ? OutsideState.HELD : OutsideState.WAITING;
    }
    // A letter of a later version: whatever it means, nothing says that the job is over.
    return OutsideState.RUNNING;
  }

  private static Optional<Instant> time(String text) {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Long> number(Map<String, String> fields, String name) {
    return OutsideNumber.of(fields.getOrDefault(name, ""));
  }

  /**
   * The texts of the children of each job. Elements of jobs stand two below the root, or three,
   * below the queue that they run in; what stands deeper is in lists of jobs, of which only that
   * they are there is kept.
   */
  static final class QstatJobElements implements OutsideXml.XmlElementHandler {
    private static final int JOB_DEPTH = 3;
    private static final String QUEUE = "Queue-List";

    private final String element;
    private final Consumer<Map<String, String>> job;
    private String root = "";
    private String parent = "";
    private Map<String, String> fields;
    private int depth;

    /** Depth of the element of the job that is read. */
    private int at;

    /** The queue whose jobs are read; empty for none. */
    private String queue = "";

    private boolean inQueue;
    private String called = "";

    QstatJobElements(String element, Consumer<Map<String, String>> job) {
      this.element = element;
      this.job = job;
    }

    @Override
    public void begins(String name, XMLStreamReader in) {
      depth++;
      if (depth == 1) {
        root = name;
      } else if (depth == 2) {
        parent = name;
      } else if (depth == JOB_DEPTH && name.equals(QUEUE)) {
        inQueue = true;
        queue = "";
      } else if (fields == null && isJob(name)) {
        fields = new LinkedHashMap<>();
        at = depth;
      } else if (fields != null && depth == at + 1) {
        String of = in.getAttributeValue(null, "name");
        called = of == null ? "" : "." + of;
      }
    }

    private boolean isJob(String name) {
      return name.equals(element)
          && (depth == JOB_DEPTH && !parent.equals("messages")
              || depth == JOB_DEPTH + 1 && inQueue);
    }

    @Override
    public void ends(String name, String text) {
      if (fields != null && depth == at + 1) {
        fields.put(name + called, text);
      } else if (fields != null && depth == at) {
        if (inQueue) {
          fields.putIfAbsent("queue_name", queue);
        }
        job.accept(fields);
        fields = null;
      } else if (inQueue && depth == JOB_DEPTH + 1 && name.equals("name")) {
        queue = text;
      } else if (depth == JOB_DEPTH && name.equals(QUEUE)) {
        inQueue = false;
      }
      depth--;
    }
  }
}
