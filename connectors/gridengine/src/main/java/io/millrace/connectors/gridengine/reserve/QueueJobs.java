package io.millrace.connectors.gridengine.reserve;

import io.millrace.connectors.bridge.command.OutsideXml;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.stream.XMLStreamReader;

/** The jobs that are in a queue, or wait for it and no other, of {@code qstat -r -xml}. */
final class QueueJobs implements OutsideXml.Taker {

  private final String queue;
  private final Set<String> jobs = new TreeSet<>();
  private String root = "";
  private String number = "";
  private boolean isMeant;

  private QueueJobs(String queue) {
    this.queue = queue;
  }

  /** Their numbers. */
  static Set<String> of(String queue, String xml) throws CellTrouble {
    QueueJobs taken = new QueueJobs(queue);
    Optional<String> trouble = OutsideXml.read(xml, taken);
    if (trouble.isPresent() || !taken.root.equals("job_info")) {
      throw new CellTrouble("qstat: " + trouble.orElse("<" + taken.root + ">"));
    }
    return taken.jobs;
  }

  @Override
  public void begins(String name, XMLStreamReader at) {
    root = root.isEmpty() ? name : root;
    if (name.equals("job_list")) {
      number = "";
      isMeant = false;
    }
  }

  @Override
  public void ends(String name, String text) {
    switch (name) {
      case "JB_job_number" -> number = text.strip();
      case "queue_name", "hard_req_queue" ->
          isMeant |= text.equals(queue) || text.startsWith(queue + "@");
      case "job_list" -> {
        if (isMeant && number.matches("[0-9]{1,10}")) {
          jobs.add(number);
        }
      }
      default -> {
        // The rest is not asked for.
      }
    }
  }
}
