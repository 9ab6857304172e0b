package io.millrace.ops.faults.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What is known of the runs in an outside system.
 *
 * @param cluster its name here, and that of its queue
 * @param accounts its accounting
 * @param claims by tag, the number of the job that has begun a run
 * @param scriptEnds by job and run with a blank between, when its script wrote that it ends
 * @param commands what became of the connector's commands
 * @param moments what the harness did when
 */
public record OutsideEvidence(
    String cluster,
    List<OutsideAccount> accounts,
    Map<String, Long> claims,
    Map<String, Long> scriptEnds,
    List<CommandNote> commands,
    OutsideMoments moments) {

  /** The connector was killed between two moments, which are as close as the harness knows. */
  public record KillSpan(long fromMs, long toMs) {}

  /**
   * @param connectorKills when the connector was killed
   * @param backMs when everything was back
   * @param present numbers of jobs in the queue of the outside system at the end
   */
  public record OutsideMoments(List<KillSpan> connectorKills, long backMs, Set<Long> present) {

    public OutsideMoments {
      connectorKills = List.copyOf(connectorKills);
      present = Set.copyOf(present);
    }
  }

  public OutsideEvidence {
    accounts = List.copyOf(accounts);
    claims = Map.copyOf(claims);
    scriptEnds = Map.copyOf(scriptEnds);
    commands = List.copyOf(commands);
  }

  /** Whether a job is one that goes there. */
  public boolean has(JobHistory job) {
    return job.queue().equals(cluster);
  }

  /** Writes what accounting and the commands tell, to be looked at. */
  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    accounts.forEach(it -> lines.add(it.toString()));
    commands.forEach(it -> lines.add(it.toString()));
    moments.connectorKills().forEach(it -> lines.add(it.toString()));
    Files.write(file, lines);
  }

  /** How many runs the system saw exit by themselves. */
  public int exited() {
    return (int)
        accounts.stream()
            .filter(OutsideAccount::exited)
            .map(OutsideAccount::tag)
            .distinct()
            .count();
  }

  /** The tag under which a run is submitted; that of a task's job says which attempt it is. */
  public String tag(JobHistory job, int run) {
    String number = job.id().replaceFirst("\\..*", "");
    String attempt = job.campaignTag().isEmpty() ? "" : "." + job.campaignTag();
    return "mr." + cluster + "." + number + "." + run + attempt;
  }

  /** When the script of a run wrote that it ends. */
  public OptionalLong scriptEnd(String jobId, int run) {
    Long end = scriptEnds.get(jobId + " " + run);
    return end == null ? OptionalLong.empty() : OptionalLong.of(end);
  }

  /** Jobs of a run that accounting has. */
  public List<OutsideAccount> accounts(String tag) {
    return accounts.stream().filter(it -> it.tag().equals(tag)).toList();
  }

  /** The account of the job that has begun a run. */
  public Optional<OutsideAccount> holder(String tag) {
    Long number = claims.get(tag);
    return accounts(tag).stream().filter(it -> number != null && it.number() == number).findFirst();
  }

  /**
   * Whether the system says of a run that it was lost with its host: of the job that has begun it,
   * or of any where none has. Its script has not come to its end.
   */
  public boolean lost(JobHistory job, int run) {
    String tag = tag(job, run);
    Long number = claims.get(tag);
    return scriptEnd(job.id(), run).isEmpty()
        && accounts(tag).stream()
            .anyMatch(it -> it.lost() && (number == null || it.number() == number));
  }

  /** Whether the job that has begun a run is in the queue. */
  public boolean lives(String tag) {
    Long number = claims.get(tag);
    return number != null && moments.present().contains(number);
  }
}
