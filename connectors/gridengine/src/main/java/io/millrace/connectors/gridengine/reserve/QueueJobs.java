package io.millrace.connectors.gridengine.reserve;

import io.millrace.connectors.bridge.command.OutsideText;
import io.millrace.connectors.bridge.command.OutsideXml;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLStreamReader;

/**
 * The jobs that are in a queue, or wait for it and no other, of {@code qstat -r -xml}. Where one is
 * says more than what it asked for.
 */
final class QueueJobs implements OutsideXml.XmlElementHandler {

  private final String queue;
  private final Set<List<String>> jobs = new LinkedHashSet<>();
  private final List<String> asked = new ArrayList<>();
  private String root = "";
  private String number = "";
  private String tasks = "";
  private String place = "";
  private boolean busy;

  private QueueJobs(String queue) {
    this.queue = queue;
  }

  static QueueJobs of(String queue, OutsideText xml) throws CellTrouble {
    QueueJobs taken = new QueueJobs(queue);
    Optional<String> trouble = OutsideXml.read(xml, taken);
    if (trouble.isPresent() || !taken.root.equals("job_info")) {
      throw new CellTrouble("qstat: " + trouble.orElse("<" + taken.root + ">"));
    }
    return taken;
  }

  /** Arguments of qdel for each of them; a task that runs there is not the whole of its array. */
  List<List<String>> all() {
    return List.copyOf(jobs);
  }

  /** Whether one of them runs there. */
  boolean isBusy() {
    return busy;
  }

  @Override
  public void begins(String name, XMLStreamReader at) {
    root = root.isEmpty() ? name : root;
    if (name.equals("job_list")) {
      number = "";
      tasks = "";
      place = "";
      asked.clear();
    }
  }

  @Override
  public void ends(String name, String text) {
    switch (name) {
      case "JB_job_number" -> number = text.strip();
      case "tasks" -> tasks = text.strip();
      case "queue_name" -> place = text.strip();
      case "hard_req_queue" -> asked.add(text.strip());
      case "job_list" -> take();
      default -> {
        // The rest is not asked for.
      }
    }
  }

  private void take() {
    boolean runs = !place.isEmpty();
    boolean meant =
        runs ? isOurs(place) : !asked.isEmpty() && asked.stream().allMatch(this::isOurs);
    if (!meant || !number.matches("[0-9]{1,10}")) {
      return;
    }
    busy |= runs;
    jobs.add(
        runs && tasks.matches("[0-9]{1,10}")
            ? List.of("-f", number, "-t", tasks)
            : List.of("-f", number));
  }

  private boolean isOurs(String name) {
    return name.equals(queue) || name.startsWith(queue + "@");
  }
}
